use std::io::BufReader;

use super::*;
use crate::token::Token;

/// Each input as its words, tags behind them, each error as its message; a tiny buffer must make no difference.
fn read(bytes: &[u8], format: Format, limit: usize) -> Vec<String> {
    let show = |result: Result<Item, ReadError>| match result {
        Ok(item) => {
            let Item { id, place, sentence, .. } = item;
            let tags = sentence.tags.join(" ");
            let tags = if tags.is_empty() { tags } else { format!(" | {tags}") };
            let id = id.map_or(String::new(), |id| format!("{id}: "));
            format!("{}@{} {id}{sentence}{tags}", place.line, place.byte)
        }
        Err(error) => error.to_string(),
    };
    let reader = |size| {
        let source = BufReader::with_capacity(size, bytes);
        let limits = Limits { bytes: limit, words: 20 };
        Reader::new(source, "f", format, Tokeniser::default()).within(limits).map(show).collect::<Vec<_>>()
    };
    let all = reader(1 << 16);
    for size in [1, 3] {
        assert_eq!(all, reader(size), "buffer of {size}");
    }
    all
}

#[test]
fn lines_are_sentences_and_empty_ones_are_too() {
    let bytes = b"\xef\xbb\xbfI can't. Go!\r\n\n(yes)";
    assert_eq!(read(bytes, Format::Lines, 100), ["1@3 I ca n't . Go !", "2@17 ", "3@18 -LRB- yes -RRB-"]);
    assert_eq!(read(b"", Format::Lines, 100), [""; 0]);
    assert_eq!(read(b"\n", Format::Lines, 100), ["1@0 "]);
}

#[test]
fn tokens_are_as_they_are() {
    assert_eq!(
        read("can't (x) a\u{2009}b\t.\n".as_bytes(), Format::Tokens, 100),
        ["1@0 can't -LRB-x-RRB- a\u{2009}b ."]
    );
    let mut reader = Reader::new(&b" a  bc\n"[..], "f", Format::Tokens, Tokeniser::default());
    let ranges: Vec<_> = reader.next().unwrap().unwrap().sentence.tokens.iter().map(Token::range).collect();
    assert_eq!(ranges, [1..2, 4..6]);
}

#[test]
fn tags_stand_behind_the_last_underscore() {
    assert_eq!(
        read(b"a_b_NN __SYM (_-LRB- x_(\nno tag_X\n_X\nx_\n", Format::Tagged, 100),
        [
            "1@0 a_b _ -LRB- x | NN SYM -LRB- -LRB-",
            "f:2 (byte 25): `no` is not of the form word_TAG",
            "f:3 (byte 34): `_X` is not of the form word_TAG",
            "f:4 (byte 37): `x_` is not of the form word_TAG",
        ]
    );
}

#[test]
fn json_says_what_is_wrong_and_goes_on() {
    let lines = [
        r#"{"id": "a", "text": "It's 5%."}"#,
        "",
        r#"{"id": 12, "tokens": ["x", "[y]"], "tags": ["A", "B"], "other": null}"#,
        r#"{"text": }"#,
        "[1]",
        r#"{"id": [], "text": ""}"#,
        r#"{"id": 123456789012345678901234567890, "text": ""}"#,
        r#"{"id": 1, "text": "a", "tokens": ["a"]}"#,
        r#"{"id": 1, "text": 3}"#,
        r#"{"id": 1, "tokens": ["a b"]}"#,
        r#"{"id": 1, "tokens": ["a"], "tags": []}"#,
        r#"{"id": -1.5, "text": ""}"#,
        r#"{"text": "a"#,
    ];
    assert_eq!(
        read(lines.join("\n").as_bytes(), Format::Json, 1000),
        [
            "1@0 a: It 's 5 % .",
            "3@33 12: x [y] | A B",
            "f:4 (byte 112): this is not JSON: expected value",
            "f:5 (byte 114): a line must be a JSON object such as {\"id\": 1, \"text\": \"…\"}",
            "f:6 (byte 118): \"id\" must be a string or a number",
            "f:7 (byte 141): \"id\" must be a string, or a number of no more than 64 bits that is written plainly, as 7 or -1.5",
            "f:8 (byte 192): an object must have either \"text\" or \"tokens\"",
            "f:9 (byte 232): \"text\" must be a string",
            "f:10 (byte 253): \"tokens\" must be an array of strings, none empty and none with white space",
            "f:11 (byte 282): there are 1 tokens but 0 tags",
            "12@321 -1.5: ",
            "f:13 (byte 356): this is not JSON: EOF while parsing a string",
        ]
    );
    let mut reader = Reader::new(&b"{\"id\": 3}"[..], "f", Format::Json, Tokeniser::default());
    assert_eq!(reader.next().unwrap().unwrap_err().id, Some(Id::Number("3".to_owned())));
}

#[test]
fn a_byte_order_mark_alone_is_a_blank_line() {
    assert_eq!(read(b"\xef\xbb\xbf\n[]", Format::Json, 9).len(), 1);
    assert_eq!(read(b"\xef\xbb\xbf", Format::Text, 9), [""; 0]);
}

#[test]
fn running_text_is_split_a_paragraph_at_a_time() {
    let text = "\n\n One two.\nThree\nfour. Five\n \nSix";
    assert_eq!(
        read(text.as_bytes(), Format::Text, 100),
        ["3@3 One two .", "4@12 Three four .", "5@24 Five", "7@31 Six"]
    );
}

#[test]
fn bytes_that_are_not_utf8_have_their_offset() {
    let bytes = b"ok\nab\xffc\nok\n";
    assert_eq!(
        read(bytes, Format::Lines, 100),
        ["1@0 ok", "f:2 (byte 5): these bytes are not UTF-8", "3@8 ok"]
    );
    let bytes = b"ok\n\nab\nb\xc3\n\nok\n";
    assert_eq!(
        read(bytes, Format::Text, 100),
        ["1@0 ok", "f:4 (byte 8): these bytes are not UTF-8", "6@11 ok"]
    );
}

#[test]
fn a_line_and_a_paragraph_have_a_limit() {
    let long = "word ".repeat(20);
    let text = format!("{long}\nok\n");
    assert_eq!(
        read(text.as_bytes(), Format::Lines, 50),
        ["f:1 (byte 0): what begins here is longer than 50 bytes", "2@101 ok"]
    );
    let text = format!("a\n{long}\nb\n\n\nok\n");
    assert_eq!(
        read(text.as_bytes(), Format::Text, 50),
        ["f:1 (byte 0): what begins here is longer than 50 bytes", "6@107 ok"]
    );
}

#[test]
fn words_have_a_limit_in_every_form() {
    type Case = (Format, fn(String) -> String, &'static str, &'static str);
    let most = |word: &str, separator: &str, count| vec![word; count].join(separator);
    let cases: [Case; 6] = [
        (Format::Lines, |line| line, "a", " "),
        (Format::Lines, |line| line, "!?", ";"),
        (Format::Tokens, |line| line, "a", " "),
        (Format::Tagged, |line| line, "a_B", " "),
        (Format::Json, |line| format!("{{\"text\": \"{line}\"}}"), "a", " "),
        (Format::Json, |line| format!("{{\"tokens\": [\"{line}\"]}}"), "a", "\", \""),
    ];
    for (format, line, word, separator) in cases {
        let count = if separator == ";" { 10 } else { 20 };
        let (fits, over) = (most(word, separator, count), most(word, separator, count + 1));
        let text = format!("{}\n{}\n{}\n", line(fits.clone()), line(over), line(fits));
        let results = read(text.as_bytes(), format, 1000);
        assert_eq!(results.len(), 3, "{text}");
        assert!(results[0].starts_with("1@0 ") && results[2].starts_with("3@"), "{results:?}");
        assert!(
            results[1].starts_with("f:2 (byte ") && results[1].ends_with("has more than 20 words"),
            "{results:?}"
        );
    }
    let text = format!("One. {} b. Two.\n", most("A", " ", 20));
    assert_eq!(
        read(text.as_bytes(), Format::Text, 1000),
        ["1@0 One .", "f:1 (byte 5): what begins here has more than 20 words", "1@48 Two ."]
    );
}

#[test]
fn a_long_paragraph_is_read_in_parts() {
    let text = "One two three.\nFour \u{f6}f five, \u{201c}six.\u{201d} Seven?\n".repeat(40);
    let whole = read(text.as_bytes(), Format::Text, 10_000);
    assert_eq!(whole.len(), 120);
    for limit in 60..90 {
        assert_eq!(read(text.as_bytes(), Format::Text, limit), whole, "{limit}");
    }
    let text = format!("One two. {} Three.\n\nFour.\n", "Five ".repeat(100));
    assert_eq!(
        read(text.as_bytes(), Format::Text, 60),
        ["1@0 One two .", "f:1 (byte 9): what begins here is longer than 60 bytes", "3@518 Four ."]
    );
    let blank = format!("{}One.", " ".repeat(500));
    assert_eq!(read(blank.as_bytes(), Format::Text, 60), ["1@500 One ."]);
    let broken = [&b"ok "[..], &[0xff], &b" a".repeat(100), b"\n\nok"].concat();
    assert_eq!(read(&broken, Format::Text, 60), ["f:1 (byte 3): these bytes are not UTF-8", "3@206 ok"]);
}

#[test]
fn keys_stand_once_and_numbers_come_back_as_they_were() {
    let lines = [
        r#"{"id": 1, "id": 2, "text": "a"}"#,
        r#"{"text": "a", "text": "b"}"#,
        r#"{"text": "a", "other": 1, "other": 2}"#,
        r#"{"id": -0, "text": "a"}"#,
        r#"{"id": 1e2, "text": "a"}"#,
        r#"{"id": 1.0, "text": "a"}"#,
        r#"{"id": 18446744073709551615, "text": "a"}"#,
    ];
    let plainly =
        "\"id\" must be a string, or a number of no more than 64 bits that is written plainly, as 7 or -1.5";
    assert_eq!(
        read(lines.join("\n").as_bytes(), Format::Json, 1000),
        [
            "f:1 (byte 13): \"id\" stands twice in the object".to_owned(),
            "f:2 (byte 51): \"text\" stands twice in the object".to_owned(),
            "3@59 a".to_owned(),
            format!("f:4 (byte 97): {plainly}"),
            format!("f:5 (byte 121): {plainly}"),
            "6@146 1.0: a".to_owned(),
            "7@171 18446744073709551615: a".to_owned(),
        ]
    );
}

#[test]
fn a_broken_stream_ends_the_reading_once() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    let results: Vec<_> =
        Reader::new(BufReader::new(Broken), "f", Format::Text, Tokeniser::default()).collect();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].as_ref().unwrap_err().problem, Problem::Io("the disk is on fire".into()));
}

#[test]
fn an_error_shows_its_line() {
    let excerpt = |bytes: &[u8], format| {
        let errors = Reader::new(bytes, "f", format, Tokeniser::default()).filter_map(Result::err);
        let excerpt = errors.map(|error| error.excerpt.unwrap()).next().unwrap();
        let (before, after) = excerpt.text.split_at(excerpt.offset);
        (format!("{before}>{after}"), excerpt.column)
    };
    assert_eq!(
        excerpt(b"a_B\nthe_DT d\xc3\xb6g runs_VBZ\r\n", Format::Tagged),
        ("the_DT >d\u{f6}g runs_VBZ".into(), 8)
    );
    assert_eq!(excerpt(b"one\ntwo \xff three\n\n", Format::Text), ("two >\u{fffd} three".into(), 5));
    let long = format!("{}_", "\u{f6}_X ".repeat(100));
    let (text, column) = excerpt(long.as_bytes(), Format::Tagged);
    assert_eq!((text.chars().count(), column), (62, 401));
}

/// The bytes and the characters of the document at which each sentence begins, and its first word.
fn starts(bytes: &[u8], format: Format) -> Vec<(usize, usize, Option<usize>, String)> {
    let items = Reader::new(bytes, "f", format, Tokeniser::default()).map(Result::unwrap);
    let start = |Item { part, sentence, .. }: Item| {
        let word =
            sentence.tokens.first().map(|token| (token.start, sentence.text[..token.start].chars().count()));
        let (byte, char) = word.unwrap_or_default();
        (sentence.start + byte, sentence.start_char + char, part, sentence.to_string())
    };
    items.map(start).collect()
}

#[test]
fn a_text_of_json_is_split_unless_it_says_otherwise() {
    let lines = r#"{"text": "Ünter. It is."}
{"text": "Ünter. It is.", "split": false}
{"text": "Yes.", "tags": ["UH", "."]}
{"text": ""}
"#;
    let shown =
        |(byte, char, part, words): (usize, usize, Option<usize>, &str)| (byte, char, part, words.to_owned());
    let expected = [
        (0, 0, Some(0), "Ünter ."),
        (8, 7, Some(1), "It is ."),
        (0, 0, None, "Ünter . It is ."),
        (0, 0, None, "Yes ."),
        (0, 0, Some(0), ""),
    ];
    assert_eq!(starts(lines.as_bytes(), Format::Json), expected.map(shown));
    for wrong in [r#"{"text": "a", "split": 1}"#, r#"{"tokens": ["a"], "split": true}"#] {
        let message = read(wrong.as_bytes(), Format::Json, 100).pop().unwrap();
        assert!(message.contains("\"split\" must be true or false"), "{message}");
    }
}

#[test]
fn characters_are_counted_from_the_start_of_the_stream() {
    let marked = "\u{feff}Ja. Öl\n\näh nö. Und?\n";
    let text = starts(marked.as_bytes(), Format::Text);
    let found: Vec<_> = text
        .iter()
        .map(|(byte, char, ..)| (&marked[*byte..], marked.chars().skip(*char).collect::<String>()))
        .collect();
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|(by_byte, by_char)| by_byte == by_char), "{found:?}");
    for (byte, char, ..) in
        starts(marked.as_bytes(), Format::Lines).into_iter().chain(starts(marked.as_bytes(), Format::Tokens))
    {
        assert_eq!(marked[byte..], marked.chars().skip(char).collect::<String>());
    }
}
