//! The graph as plain text, one word a line; `docs/graph-format.md` describes it for readers of files.
//!
//! ```
//! use tracebank_syntax::{graph::{self, text}, heads::HeadTable, tree::Tree};
//! let tree: Tree = "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))".parse()?;
//! let graph = graph::encode(&tree, &HeadTable::named("penn").unwrap(), graph::Targets::Referent);
//! let written = text::write(&graph);
//! let squeezed: Vec<String> = written.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
//! assert_eq!(
//!     squeezed,
//!     [
//!         "0 - - ()",
//!         "1 We PRP NP-SBJ 2 S",
//!         "2 like VBP VP S 0 ()",
//!         "3 running VBG VP S (NP-SBJ *)@-1 2 VP *>1:NP-SBJ",
//!         "4 . . 2 S",
//!     ]
//! );
//! assert_eq!(text::Reader::new(written.as_bytes()).next().unwrap()?, graph);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod names;
mod read;
mod token;
mod write;

pub use read::Reader;
pub use token::{Refusal, check_form, check_tag};
pub use write::{attachment_text, spine_text, write};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{self, Graph, Targets, Vertex};
    use crate::heads::HeadTable;
    use crate::tree::Tree;

    fn graph(text: &str, targets: Targets) -> Graph {
        let tree: Tree = text.parse().unwrap();
        graph::encode(&tree, &HeadTable::named("penn").unwrap(), targets)
    }

    #[test]
    fn odd_graphs_come_back() {
        for text in [
            "(-NONE- *)",
            "( (NP (-NONE- *T*-1)) (-NONE- 0) (SU /))",
            "(NN dog)",
            "( dog cat)",
            "( (S (NP-1 (NNS-4 a)) (X-1 (NP-2-2 (N b))) (NP=1-3 (-NONE- *T*-3)) (NP (-NONE- *-4)) (SU ]) ( (NP (N c)))))",
            "( (NP_x@1 (N #) (N~> ~) (-NONE- a@b) (NP[1] (-NONE- *#\\*-7) (NP[1] (-NONE- *#\\*-7)))))",
            "( (S (S (NP-1 (N a)) (VP (V b) (NP-2 (N c)))) (CC and) (S (NP=1 (N d)) (NP=2 (N e)))))",
            "( (S (NP (NP (PRP it)) (S (-NONE- *EXP*-1))) (VP (V is) (S-1 (NP (-NONE- *)) (VP (V go))))))",
        ] {
            for targets in [Targets::Referent, Targets::Parent, Targets::Common] {
                let graph = graph(text, targets);
                let written = write(&graph);
                let back: Vec<_> = Reader::new(written.as_bytes()).collect();
                assert_eq!(back, [Ok(graph)], "{text}\n{written}");
            }
        }
    }

    #[test]
    fn the_second_phrase_of_a_name_is_told_from_the_first() {
        let graph = graph("( (NP (NP (DT a) (NN b)) (PP (IN c))))", Targets::Referent);
        let texts = (1..=3).map(Vertex).map(|word| (spine_text(&graph, word), attachment_text(&graph, word)));
        let expected = [("", "NP"), ("NP NP", "()"), ("PP", "NP#2")];
        assert_eq!(
            texts.collect::<Vec<_>>(),
            expected.map(|(spine, phrase)| (spine.to_owned(), phrase.to_owned()))
        );
    }

    #[test]
    fn sentences_are_separated_by_blank_lines_and_comments_are_left_out() {
        let one = write(&graph("( (S (N a)))", Targets::Referent));
        let text = format!("# first\n{one}\n\n\n# second\n{one}");
        assert_eq!(Reader::new(text.as_bytes()).flatten().count(), 2);
    }

    const UNFIT: &str = "2:1: a word or tag with a bracket or a blank in it has no place in a tree";

    #[test]
    fn errors_name_their_line_and_the_next_sentence_is_read() {
        let good = write(&graph("( (S (N a)))", Targets::Referent));
        let cases = [
            ("0\t-\t-\t()\n2\ta\tN\tS\t0\t()", "2:1: this line should be that of vertex 1"),
            ("1\ta\tN\tS\t0\t()", "1:1: this line should be that of vertex 0"),
            ("0\t-\t-\t()\n1\ta\tN\tS\tx\t()", "2:1: the head is no number: x"),
            ("0\t-\t-\t()\n1\ta\tN\tS\t0\tNP", "2:1: there is no NP in the spine of vertex 0"),
            ("0\t-\t-\t()\n1\ta\tN\tS\t9\tNP", "2:1: there is no vertex 9"),
            ("0\t-\t-\t()\n1\ta\tN\tS (NP *\t0\t()", "2:1: a bracket of the spine is not closed"),
            (
                "0\t-\t-\t()\n1\ta\tN\tS (NP *)\t0\t()",
                "2:1: what hangs in a phrase needs its place, as in *U*@+1",
            ),
            ("0\t-\t-\t()\n1\ta\tN\tS\t0\t()\t*T*>1:S", "2:1: there is no *T* in the spine of vertex 1"),
            (
                "0\t-\t-\t()\n1\ta\tN\tS (NP @)@+1\t0\t()",
                "2:1: a name is missing in the spine; an empty one is written ()",
            ),
            ("0\t-\t-\t() (NP *T@+0 0+0", "1:1: a name is missing in the spine; an empty one is written ()"),
            ("0\t-\t-\t()\n1\ta (b\tN\tS\t0\t()", UNFIT),
            ("0\t-\t-\t()\n1\ta)\tN\tS\t0\t()", UNFIT),
            ("0\t-\t-\t()\n1\ta b\tN\tS\t0\t()", UNFIT),
            ("0\t-\t-\t()\n1\ta\x0bb\tN\tS\t0\t()", UNFIT),
            ("0\t-\t-\t()\n1\ta\tN N\tS\t0\t()", UNFIT),
            ("0\t-\t-\t()\n1\ta\tN\tS [SU a b]@+1\t0\t()", UNFIT),
            ("0\t-\t-\t()\n1\t\tN\tS\t0\t()", "2:1: an empty word or tag has no place in a tree"),
            (
                "0\t-\t-\t()\n1\ta\t-NONE-\tS\t0\t()",
                "2:1: a word cannot be tagged as a null element or a mark",
            ),
            ("0\t-\t-\t()\n1\ta\tSU\tS\t0\t()", "2:1: a word cannot be tagged as a null element or a mark"),
            ("0\t-\t-\t()\n1\ta\tN\tS [N /]@+1\t0\t()", "2:1: a mark has the tag SU, CODE or ID"),
            (
                "0\t-\t-\t()\n1\ta\tN\tS (NP ())@+1\t0\t()",
                "2:1: a null element without a name has no place in a tree",
            ),
            ("0\t-\t-\t()\n1\ta\tN\tS\x0bX\t0\t()", "2:1: S\x0bX: no label has a bracket or a blank in it"),
            ("0\t-\t-\t()\n1\ta", "2:1: a word has at least five fields, separated by tabs"),
        ];
        for (bad, message) in cases {
            let text = format!("{bad}\n\n{good}");
            let results: Vec<_> = Reader::new(text.as_bytes()).collect();
            assert_eq!(results[0].as_ref().unwrap_err().to_string(), message);
            assert!(results[1].is_ok() && results.len() == 2);
        }
        let bytes = [b"0\t-\t-\t()\n1\t\xff\tN\tS\t0\t()\n2\n\n", good.as_bytes()].concat();
        let results: Vec<_> = Reader::new(&bytes[..]).collect();
        assert_eq!(results[0].as_ref().unwrap_err().to_string(), "2:1: these bytes are not UTF-8");
        assert!(results[1].is_ok() && results.len() == 2);
    }

    #[test]
    fn a_sentence_has_a_limit() {
        let good = write(&graph("( (S (N a)))", Targets::Referent));
        let bad = [
            "0\t-\t-\t()".to_owned() + &" ".repeat(200),
            "# x\n0\t \t\n".repeat(50),
            " x".repeat(500),
            " ".repeat(200) + "x",
        ];
        for bad in bad {
            let text = format!("{bad}\n\n{good}");
            let results: Vec<_> = Reader::new(text.as_bytes()).with_sentence_limit(100).collect();
            let begin = if bad.starts_with('#') { 2 } else { 1 };
            let message = format!("{begin}:1: the tree that begins here is longer than 100 bytes");
            assert_eq!(results[0].as_ref().unwrap_err().to_string(), message, "{bad}");
            assert!(results[1].is_ok() && results.len() == 2);
        }
    }

    #[test]
    fn as_many_bytes_as_the_limit_are_read_and_a_blank_line_needs_no_room() {
        let good = write(&graph("( (S (N a)))", Targets::Referent));
        let bytes = good.len() - good.lines().count();
        let text = format!("{good} \n{good}");
        for (limit, is_read) in [(bytes, true), (bytes - 1, false), (bytes - 2, false)] {
            let source = std::io::BufReader::with_capacity(7, text.as_bytes());
            let results: Vec<_> = Reader::new(source).with_sentence_limit(limit).collect();
            assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [is_read; 2]);
        }
    }

    #[test]
    fn an_interrupted_stream_is_read_on() {
        struct Interrupted<'t>(&'t [u8], bool);
        impl std::io::Read for Interrupted<'_> {
            fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                self.1 = !self.1;
                if self.1 { Err(std::io::ErrorKind::Interrupted.into()) } else { self.0.read(into) }
            }
        }
        let good = write(&graph("( (S (N a)))", Targets::Referent));
        let source = std::io::BufReader::new(Interrupted(good.as_bytes(), false));
        assert_eq!(Reader::new(source).flatten().count(), 1);
    }

    #[test]
    fn the_usual_end_of_a_trace_needs_no_mention() {
        let written = write(&graph("( (S (NP-1 (N a)) (VP (V b) (NP (-NONE- *-1)))))", Targets::Referent));
        assert!(written.ends_with("\t*>1:NP\n"), "{written}");
    }

    #[test]
    fn a_byte_order_mark_means_nothing() {
        let text = format!("\u{feff}{}", write(&graph("( (S (N a)))", Targets::Referent)));
        assert!(Reader::new(text.as_bytes()).next().unwrap().is_ok());
    }

    #[test]
    fn a_broken_stream_ends_the_reading_once() {
        struct Broken;
        impl std::io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("the disk is on fire"))
            }
        }
        assert_eq!(Reader::new(std::io::BufReader::new(Broken)).count(), 1);
    }

    proptest! {
        /// No spine, however damaged, keeps the reader for ever; and a graph that is read can be written and decoded or refused.
        #[test]
        fn any_line_is_read_or_refused(
            word in r"[a()\x0b ]{0,3}", tag in r"N|N [(]|SU|-NONE-|",
            spine in r"[SN*0@+\-1()\[\] #~>:/\\]{0,24}", traces in r"[S*@()#~>:/\-=01 ]{0,12}",
        ) {
            let text = format!("0\t-\t-\t()\n1\t{word}\t{tag}\t{spine}\t0\t()\t{traces}\n");
            for graph in Reader::new(text.as_bytes()).flatten() {
                if let Ok(tree) = graph::decode(&graph) {
                    let words: Vec<&str> = tree.words().collect();
                    let again = tree.to_string().parse::<Tree>().unwrap();
                    prop_assert_eq!(again.words().collect::<Vec<_>>(), words);
                }
                let written = write(&graph);
                prop_assert_eq!(Reader::new(written.as_bytes()).next().unwrap().unwrap(), graph);
            }
        }
    }
}
