//! How a map is applied to a row: what has lanes.

/// How a factor is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Factor {
    /// Eight lanes.
    Lanes,
    /// One number for all lanes.
    Single,
    /// Not at all: it is one.
    One,
}

/// How a map is applied to a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    /// Does the target have lanes, or does it get the sum of all?
    pub(crate) target_has_lanes: bool,
    pub(crate) left: Factor,
    pub(crate) right: Factor,
    /// Overwrite the target instead of adding to it.
    pub(crate) assign: bool,
}

impl Form {
    /// The form of the transpose that makes the left factor of the target and the right one, in this order.
    pub(crate) fn to_left(self) -> Self {
        let left = if self.target_has_lanes { Factor::Lanes } else { Factor::Single };
        Self { target_has_lanes: self.left == Factor::Lanes, left, right: self.right, assign: false }
    }

    /// The form of the other transpose.
    pub(crate) fn to_right(self) -> Self {
        Self { left: self.right, right: self.left, ..self }.to_left()
    }

    /// Does anything have lanes?
    pub(crate) fn has_lanes(self) -> bool {
        self.target_has_lanes || self.left == Factor::Lanes || self.right == Factor::Lanes
    }
}
