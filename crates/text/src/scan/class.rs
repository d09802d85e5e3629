//! Classes of characters, as the scanner tells them.

/// The part a character plays when text is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// A letter, a digit, a combining mark, or a character with no part of its own.
    Word,
    Space,
    OpenBracket,
    CloseBracket,
    /// `"`.
    StraightQuote,
    /// `“`, `„`, `«`.
    OpenQuote,
    /// `”`, `»`.
    CloseQuote,
    /// `'` and `’`.
    Apostrophe,
    /// `` ` `` and `‘`.
    Backquote,
    Dot,
    /// `?`, `!`.
    Exclamation,
    /// `…`.
    Ellipsis,
    Hyphen,
    /// `–`: a hyphen between digits and letters, a dash elsewhere.
    EnDash,
    /// `—`, `―`.
    EmDash,
    /// `,`, `:`, `/`, `&`, `@`, `+`, `*`, `#`, `$`: part of a word between certain characters, see `word.rs`.
    Joiner,
    /// `<`, `=`, `>`: runs of them are one token.
    Relation,
    /// `•` and the like.
    Bullet,
    /// A token of its own wherever it stands.
    Sign,
}

const ASCII: [Class; 128] = {
    let mut table = [Class::Word; 128];
    let mut at = 0;
    while at < 128 {
        table[at] = match at as u8 {
            b' ' | 0x09..=0x0d => Class::Space,
            b'(' | b'[' | b'{' => Class::OpenBracket,
            b')' | b']' | b'}' => Class::CloseBracket,
            b'"' => Class::StraightQuote,
            b'\'' => Class::Apostrophe,
            b'`' => Class::Backquote,
            b'.' => Class::Dot,
            b'?' | b'!' => Class::Exclamation,
            b'-' => Class::Hyphen,
            b',' | b':' | b'/' | b'&' | b'@' | b'+' | b'*' | b'#' | b'$' => Class::Joiner,
            b'<' | b'=' | b'>' => Class::Relation,
            b';' | b'%' | b'~' | b'^' | b'|' | b'\\' => Class::Sign,
            _ => Class::Word,
        };
        at += 1;
    }
    table
};

pub(super) fn class(character: char) -> Class {
    match character {
        '\0'..='\x7f' => ASCII[character as usize],
        '“' | '„' | '‟' | '«' | '「' | '『' => Class::OpenQuote,
        '”' | '»' | '」' | '』' => Class::CloseQuote,
        '’' => Class::Apostrophe,
        '‘' | '‚' => Class::Backquote,
        '…' => Class::Ellipsis,
        '\u{2010}' | '\u{2011}' => Class::Hyphen,
        '–' => Class::EnDash,
        '—' | '―' => Class::EmDash,
        '•' | '‣' | '◦' | '▪' | '●' | '■' | '◆' => Class::Bullet,
        '。' | '！' | '？' => Class::Exclamation,
        '±' | '×' | '÷' | '≤' | '≥' | '≈' | '≠' | '∼' | '→' | '←' | '↑' | '↓' | '€' | '£' | '¥' | '¢'
        | '§' | '¶' | '¿' | '¡' | '©' | '®' | '™' | '、' | '，' | '；' | '：' | '（' | '）' | '‰' => {
            Class::Sign
        }
        _ if character.is_whitespace() => Class::Space,
        _ => Class::Word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_what_unicode_says() {
        for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
            assert_eq!(class(character) == Class::Space, character.is_whitespace(), "{character:?}");
        }
    }
}
