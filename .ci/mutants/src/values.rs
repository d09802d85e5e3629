//! Values that a function could give without a look at its arguments.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// Code for a few values of a type; none where nothing is known to be one.
pub fn of(kind: &Type) -> Vec<String> {
    let texts = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    match kind {
        Type::Tuple(tuple) if tuple.elems.is_empty() => texts(&["()"]),
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => texts(&["\"\"", "\"xyzzy\""]),
            _ => Vec::new(),
        },
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            let within = |frame: [&str; 2]| {
                let inner = argument(last).map(of).unwrap_or_default();
                inner
                    .into_iter()
                    .map(move |value| format!("{}{value}{}", frame[0], frame[1]))
                    .collect::<Vec<_>>()
            };
            match &*last.ident.to_string() {
                "bool" => texts(&["true", "false"]),
                "String" => texts(&["String::new()", "\"xyzzy\".to_owned()"]),
                "u8" | "u16" | "u32" | "u64" | "usize" => texts(&["0", "1"]),
                "i8" | "i16" | "i32" | "i64" | "isize" => texts(&["0", "1", "-1"]),
                "f32" | "f64" => texts(&["0.0", "1.0", "-1.0"]),
                "Option" => std::iter::once("None".to_owned()).chain(within(["Some(", ")"])).collect(),
                "Vec" => std::iter::once("vec![]".to_owned()).chain(within(["vec![", "]"])).collect(),
                "Result" => within(["Ok(", ")"]),
                _ => texts(&["Default::default()"]),
            }
        }
        _ => Vec::new(),
    }
}

/// The first type among the arguments of a generic one.
fn argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    })
}
