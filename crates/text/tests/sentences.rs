//! Texts and their sentences, with a bar between two.

use tracebank_text::Tokeniser;

/// The sentences of `text` as they stand in it.
fn split(text: &str) -> String {
    let sentences = Tokeniser::default().sentences(text);
    sentences.iter().map(|sentence| &text[sentence.range()]).collect::<Vec<_>>().join("|")
}

#[test]
fn sentences_end_where_they_should() {
    for (text, wanted) in [
        ("It rained. We left.", "It rained.|We left."),
        ("No final stop", "No final stop"),
        ("", ""),
        (" \n\n ", ""),
        ("What?! Really? Yes!", "What?!|Really?|Yes!"),
        ("\"Go!\" he said. \"Now.\" She went.", "\"Go!\" he said.|\"Now.\"|She went."),
        ("(It rained.) We left [early.] Then", "(It rained.)|We left [early.]|Then"),
        ("“It rained.” ‘Yes.’ We left.", "“It rained.”|‘Yes.’|We left."),
        ("Mr. Smith met Dr. J. R. Ewing. They spoke.", "Mr. Smith met Dr. J. R. Ewing.|They spoke."),
        ("He works for Acme Inc. The pay is bad.", "He works for Acme Inc.|The pay is bad."),
        ("Acme Inc. Chairman Smith left.", "Acme Inc. Chairman Smith left."),
        ("He lives in the U.S. He is happy.", "He lives in the U.S.|He is happy."),
        ("Pens, paper, etc. Bring them.", "Pens, paper, etc.|Bring them."),
        ("See Fig. 3 and p. 5. No. 7 is next.", "See Fig. 3 and p. 5.|No. 7 is next."),
        ("Did he? No. He did not.", "Did he?|No.|He did not."),
        ("It has vitamin B. Carrots have A.", "It has vitamin B.|Carrots have A."),
        ("So do I. We agree, e.g. Monday.", "So do I.|We agree, e.g. Monday."),
        ("It cost 3.5 million. 20 came.", "It cost 3.5 million.|20 came."),
        ("The value approx. doubled. and then", "The value approx. doubled. and then"),
        ("we left. it rained approx. all day", "we left.|it rained approx. all day"),
        ("Then i left. did it rain? yes", "Then i left.|did it rain?|yes"),
        ("It was great! really (yes!) great", "It was great!|really (yes!) great"),
        (
            "It was built in 1801. [6] Nobody lives there.[7] It is old.",
            "It was built in 1801. [6]|Nobody lives there.[7]|It is old.",
        ),
        (
            "See you. Ann Lee 02/13/2001 04:13 PM Hello there.",
            "See you.|Ann Lee|02/13/2001 04:13 PM|Hello there.",
        ),
        ("Come on 02/13/2001 04:13 PM to Room 3.", "Come on 02/13/2001 04:13 PM to Room 3."),
        ("See http://a.org/b http://c.org The end.", "See http://a.org/b|http://c.org|The end."),
        ("Write to Ann.Lee@x.org on Monday", "Write to Ann.Lee@x.org on Monday"),
        ("It binds DNA. p53 does too. c-Myc does not.", "It binds DNA.|p53 does too.|c-Myc does not."),
        ("Well... I don't know... Maybe. ... and so on.", "Well... I don't know...|Maybe. ... and so on."),
        ("the last week.The next", "the last week.|The next"),
        ("Things to buy:\n- milk\n- eggs\n* bread\n• tea", "Things to buy:|- milk|- eggs|* bread|• tea"),
        ("1. Open the box.\n2. Close it.", "1. Open the box.|2. Close it."),
        ("Two panels. (a) The left. (b) the right.", "Two panels.|(a) The left.|(b) the right."),
        ("A line\ngoes on.\n\nA heading\n\nText", "A line\ngoes on.|A heading|Text"),
        ("Come on Fri. Paul will. See you Sun. The end.", "Come on Fri. Paul will.|See you Sun.|The end."),
        ("Thanks :) See you. Great! :-) Bye", "Thanks :)|See you.|Great! :-)|Bye"),
        ("I laughed :) and left", "I laughed :) and left"),
        ("Name: Ann Lee\nAge: 42\n3 children", "Name: Ann Lee|Age: 42|3 children"),
        (
            "Dear John,\nThank you for it.\nYours,\nAnn\nSales",
            "Dear John,|Thank you for it.|Yours,|Ann|Sales",
        ),
        (
            "The report that was published last week in New\nYork says that the old bridge over the East\nRiver is safe.",
            "The report that was published last week in New\nYork says that the old bridge over the East\nRiver is safe.",
        ),
        ("We left for\nthe coast (see\nMap 3)", "We left for\nthe coast (see\nMap 3)"),
        ("a\r\n\r\nb\u{2029}c\u{c}d", "a|b|c|d"),
    ] {
        assert_eq!(split(text), wanted, "{text}");
    }
}

#[test]
fn the_full_stop_of_an_abbreviation_is_the_sentences_at_its_end() {
    for (text, wanted) in [
        ("Made by Acme Inc. The end.", "Made by Acme Inc . | The end ."),
        ("Made in the U.S. The end.", "Made in the U.S. | The end ."),
        ("He said \"at 5 p.m.\"", "He said `` at 5 p.m . ''"),
        ("1. Open it.", "1. Open it ."),
    ] {
        let sentences = Tokeniser::default().sentences(text);
        let shown = sentences.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
        assert_eq!(shown, wanted, "{text}");
    }
}
