//! The service over a real socket.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tracebank::testing::watched_parser;
use tracebank::{InputFormat, Limits, Options, Parser, Record, Sentence, Tree};
use tracebank_page::Form;
use tracebank_serve::{Config, Server, openapi};

const TREES: [&str; 3] = [
    "( (S (NP-SBJ (PRP They)) (VP (VBD left)) (. .)))",
    "( (S (NP-SBJ-1 (PRP We)) (VP (VBP like) (S (NP-SBJ (-NONE- *-1)) (VP (VBG running)))) (. .)))",
    "( (SBARQ (WHNP-1 (WP Who)) (SQ (NP-SBJ (-NONE- *T*-1)) (VP (VBD left))) (. ?)))",
];

fn parser(watch: impl Fn(&Sentence) + Send + Sync + 'static) -> Parser {
    watched_parser(&TREES.map(|tree| tree.parse::<Tree>().unwrap()), &["penn"], watch)
}

/// A service in a thread, which ends when it is told to.
struct Service {
    address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    fn start(config: Config, parser: Parser) -> Service {
        let (address_sender, address) = std::sync::mpsc::channel();
        let (end, ended) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let server = Server::bind(([127, 0, 0, 1], 0).into(), config).await.unwrap();
                address_sender.send(server.address().unwrap()).unwrap();
                server.run(parser, async { drop(ended.await) }).await.unwrap();
            });
            runtime.shutdown_background();
        });
        Service { address: address.recv().unwrap(), end: Some(end), thread: Some(thread) }
    }

    fn usual() -> Service {
        Service::start(config(), parser(|_| ()))
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> TcpStream {
        let mut stream = self.connect();
        let length = body.len();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n").unwrap();
        // A server that refuses a large body may close before all of it is written.
        let _ = stream.write_all(body);
        stream
    }

    fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Response {
        Response::read(self.send(method, path, headers, body))
    }

    fn post(&self, path: &str, body: &str) -> Response {
        self.ask("POST", path, "", body.as_bytes())
    }

    fn json(&self, path: &str, body: &Value) -> Response {
        self.ask("POST", path, "Content-Type: application/json\r\n", body.to_string().as_bytes())
    }

    /// Waits until as many sentences wait or are parsed.
    fn wait_until_queued(&self, sentences: &str) {
        let queued = || {
            let metrics = self.ask("GET", "/metrics", "", b"").body;
            metrics.lines().any(|line| line.strip_prefix("tracebank_queue_sentences ") == Some(sentences))
        };
        while !queued() {
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn end(&mut self) {
        if let Some(end) = self.end.take() {
            end.send(()).ok();
        }
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.end();
    }
}

fn config() -> Config {
    Config { threads: 2, drain: Duration::from_secs(5), ..Config::default() }
}

#[derive(Debug)]
struct Response {
    status: u16,
    head: String,
    body: String,
}

impl Response {
    fn read(mut stream: TcpStream) -> Response {
        let mut bytes = Vec::new();
        // A connection that is cut gives what came before.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let head = head.to_lowercase();
        let body =
            if head.contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_owned() };
        Response { status, head, body }
    }

    /// The kind of the problem that it is.
    fn problem(&self) -> String {
        assert!(self.head.contains("content-type: application/problem+json"), "{self:?}");
        let value: Value = serde_json::from_str(&self.body).unwrap();
        assert_eq!(value["status"], self.status);
        assert!(value["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
        value["title"].as_str().unwrap().to_owned()
    }
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let Ok(length) = usize::from_str_radix(length, 16) else { break };
        text += &rest[..length];
        body = rest[length..].trim_start_matches("\r\n");
    }
    text
}

/// The bytes of the command line for a text.
fn expected(text: &str, form: Form, options: Options) -> String {
    let parser = parser(|_| ()).with_options(options).unwrap();
    let stream = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
    let limits = Limits::for_words(1000);
    let mut out = String::new();
    for input in tracebank::read(stream, "<stdin>", InputFormat::Text, parser.tokeniser(), limits) {
        let input = input.unwrap();
        let parse = parser.parse_sentences(&[input.sentence.as_ref().unwrap()]).pop().unwrap();
        let record = Record { parse: &parse, id: input.id.as_ref(), origin: Some(&input.origin) };
        form.write(record, false, &mut out);
    }
    out
}

#[test]
fn every_form_has_the_bytes_of_the_command_line() {
    let service = Service::usual();
    let text = "They left. We like running. Who left?";
    for form in Form::all() {
        let response = service.post(&format!("/v1/parse?output={}", form.name()), text);
        assert_eq!((response.status, response.body), (200, expected(text, form, Options::default())));
    }
    let brief = Options { functions: false, traces: false, ..Options::default() };
    let response = service.post("/v1/parse?no-functions=true&no-traces=true", text);
    assert_eq!(response.body, expected(text, Form::named("penn").unwrap(), brief));
}

#[test]
fn json_comes_as_text_sentences_or_tokens_and_goes_by_accept() {
    let service = Service::usual();
    let trees = |body: Value| -> Vec<String> {
        let response = service.json("/v1/parse", &body);
        assert_eq!(response.status, 200, "{response:?}");
        let parses: Vec<Value> = serde_json::from_str(&response.body).unwrap();
        parses.iter().map(|parse| parse["tree"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(trees(json!({"text": "They left. Who left?"})), [TREES[0], TREES[2]]);
    assert_eq!(trees(json!({"sentences": ["They left.", "Who left?"]})), [TREES[0], TREES[2]]);
    assert_eq!(trees(json!({"tokens": [["They", "left", "."]]})), [TREES[0]]);
    assert_eq!(trees(json!({"sentences": []})), Vec::<String>::new());
    let best = service.json("/v1/parse", &json!({"text": "They left.", "best": 2, "output": "json"}));
    assert!(
        best.body.contains("\"alternatives\":[") && best.head.contains("application/x-ndjson"),
        "{best:?}"
    );
    let lines = service.ask("POST", "/v1/parse", "Accept: application/x-ndjson\r\n", b"They left.");
    assert!(lines.body.ends_with("}\n") && lines.body.starts_with('{'), "{lines:?}");
}

#[test]
fn requests_that_are_wrong_get_a_problem_that_says_why() {
    let service = Service::usual();
    let json = "Content-Type: application/json\r\n";
    for (response, status, kind) in [
        (service.ask("POST", "/v1/parse", "", b"\xff\xfe"), 400, "utf-8"),
        (service.ask("POST", "/v1/parse", json, b"{\"text\":"), 400, "json"),
        (service.ask("POST", "/v1/parse", json, b"{}"), 400, "body"),
        (service.post("/v1/parse?bset=3", "a"), 400, "option"),
        (service.post("/v1/parse?best=3", "a"), 400, "option"),
        (service.post("/v1/parse?best=many", "a"), 400, "option"),
        (service.post("/v1/parse?best=0&output=json", "a"), 400, "option"),
        (service.post("/v1/parse?output=xml", "a"), 400, "option"),
        (service.post("/v1/parse?dialect=klingon", "a"), 400, "option"),
        (service.json("/v1/draw", &json!({"tree": "(S"})), 422, "tree"),
        (service.json("/v1/search", &json!({"trees": "(A b)", "pattern": "A <"})), 422, "pattern"),
        (
            service.json("/v1/edit", &json!({"tree": "(A b)", "change": {"kind": "unwrap", "node": 99}})),
            422,
            "node",
        ),
        (service.ask("GET", "/v1/parse", "", b""), 405, "method"),
        (service.ask("GET", "/nothing", "", b""), 404, "path"),
    ] {
        assert_eq!((response.status, response.problem().as_str()), (status, kind), "{response:?}");
    }
}

#[test]
fn every_limit_has_its_problem() {
    let config = Config {
        max_body: 1000,
        max_sentences: 2,
        max_words: 12,
        max_sentence_words: 8,
        time: Duration::from_millis(300),
        ..config()
    };
    let slow = parser(|sentence| {
        if sentence.text.contains("slow") {
            thread::sleep(Duration::from_millis(1500));
        }
    });
    let service = Service::start(config, slow);
    let large = service.post("/v1/parse", &"a".repeat(2000));
    assert_eq!((large.status, large.problem().as_str()), (413, "body"));
    let many = service.post("/v1/parse?input=lines", "a\nb\nc\n");
    assert_eq!((many.status, many.problem().as_str()), (413, "sentences"));
    let words = service.post("/v1/parse?input=lines", "a a a a a a a\nb b b b b b b\n");
    assert_eq!((words.status, words.problem().as_str()), (413, "words"));
    let long = service.post("/v1/parse?input=lines", "a a a a a a a a a a\n");
    assert_eq!(long.status, 200, "a long sentence has a flat tree, as on the command line");
    assert!(long.body.contains("X-FAILED"), "{long:?}");
    for (trees, kind) in [
        ("(N a) (N b) (N c)".to_owned(), "sentences"),
        (format!("(S {})", "(N a)".repeat(70)), "nodes"),
        ("1\ta\tN\n".repeat(45), "nodes"),
    ] {
        let large = service.json("/v1/convert", &json!({"trees": trees}));
        assert_eq!((large.status, large.problem().as_str()), (413, kind));
    }
    let late = service.post("/v1/parse", "slow");
    assert_eq!((late.status, late.problem().as_str()), (504, "time"));
    // Half a body, and then nothing.
    let mut half = service.connect();
    write!(half, "POST /v1/parse HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\nThey")
        .unwrap();
    let half = Response::read(half);
    assert_eq!((half.status, half.problem().as_str()), (408, "time"));
}

#[test]
fn a_tree_has_a_depth() {
    let service = Service::usual();
    let deep = |levels: usize| json!({"tree": format!("{}a{}", "(S ".repeat(levels), ")".repeat(levels))});
    for path in ["/v1/draw", "/v1/inspect", "/v1/derive"] {
        let refused = service.json(path, &deep(501));
        assert_eq!((refused.status, refused.problem().as_str()), (413, "levels"), "{path}");
    }
    assert_eq!(service.json("/v1/inspect", &deep(500)).status, 200);
}

#[test]
fn a_full_queue_says_when_to_come_again() {
    let gate = Arc::new(AtomicBool::new(false));
    let open = Arc::clone(&gate);
    let parser = parser(move |_| {
        while !open.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(2));
        }
    });
    let service = Service::start(Config { threads: 1, queue: 2, ..config() }, parser);
    let waiting: Vec<_> = (0..2).map(|_| service.send("POST", "/v1/parse", "", b"They left.")).collect();
    service.wait_until_queued("2");
    let refused = service.post("/v1/parse", "They left.");
    assert_eq!((refused.status, refused.problem().as_str()), (503, "queue"));
    assert!(refused.head.contains("retry-after: 1"), "{refused:?}");
    gate.store(true, Ordering::SeqCst);
    for stream in waiting {
        assert_eq!(Response::read(stream).status, 200);
    }
}

#[test]
fn what_nobody_waits_for_is_not_parsed() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let gate = Arc::new(AtomicBool::new(false));
    let (log, open) = (Arc::clone(&seen), Arc::clone(&gate));
    let parser = parser(move |sentence| {
        log.lock().unwrap().push(sentence.text.clone());
        while sentence.text.contains("gate") && !open.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(2));
        }
    });
    let service = Service::start(Config { threads: 1, ..config() }, parser);
    let first = service.send("POST", "/v1/parse", "", b"The gate.");
    while seen.lock().unwrap().is_empty() {
        thread::sleep(Duration::from_millis(2));
    }
    let gone = service.send("POST", "/v1/parse", "", b"The departed.");
    service.wait_until_queued("2");
    drop(gone);
    thread::sleep(Duration::from_millis(300));
    gate.store(true, Ordering::SeqCst);
    assert_eq!(Response::read(first).status, 200);
    assert_eq!(service.post("/v1/parse", "They left.").status, 200);
    let seen = seen.lock().unwrap();
    assert!(!seen.iter().any(|text| text.contains("departed")), "{seen:?}");
}

#[test]
fn sentences_that_wait_together_keep_their_own_options() {
    let gate = Arc::new(AtomicBool::new(false));
    let open = Arc::clone(&gate);
    let parser = parser(move |sentence| {
        while sentence.text.contains("gate") && !open.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(2));
        }
    });
    let service = Service::start(Config { threads: 1, ..config() }, parser);
    let text = "We like running.";
    let first = service.send("POST", "/v1/parse", "", b"The gate.");
    service.wait_until_queued("1");
    let whole = service.send("POST", "/v1/parse", "", text.as_bytes());
    service.wait_until_queued("2");
    let brief = service.send("POST", "/v1/parse?no-functions=true&no-traces=true", "", text.as_bytes());
    service.wait_until_queued("3");
    gate.store(true, Ordering::SeqCst);
    assert_eq!(Response::read(first).status, 200);
    assert_eq!(Response::read(whole).body.trim_end(), TREES[1]);
    let options = Options { functions: false, traces: false, ..Options::default() };
    assert_eq!(Response::read(brief).body, expected(text, Form::named("penn").unwrap(), options));
}

#[test]
fn a_panic_is_one_500_and_its_neighbours_are_answered() {
    let parser = parser(|sentence| assert!(!sentence.text.contains("panic"), "as asked"));
    let service = Service::start(Config { threads: 1, ..config() }, parser);
    let streams: Vec<_> = (0..20)
        .map(|number| {
            let text = if number % 5 == 0 { "Do panic." } else { "They left." };
            (number, service.send("POST", "/v1/parse", "", text.as_bytes()))
        })
        .collect();
    for (number, stream) in streams {
        let response = Response::read(stream);
        if number % 5 == 0 {
            assert_eq!((response.status, response.problem().as_str()), (500, "panic"));
        } else {
            assert_eq!((response.status, response.body.trim_end()), (200, TREES[0]));
        }
    }
}

#[test]
fn lines_are_answered_while_they_come() {
    let service = Service::usual();
    let mut stream = service.connect();
    let head = "POST /v1/parse?output=penn HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap());
    let mut until = |wanted: &str| loop {
        let mut line = String::new();
        assert!(answers.read_line(&mut line).unwrap() > 0, "the stream ended before {wanted:?}");
        if line.contains(wanted) {
            break;
        }
    };
    for (line, answer) in [
        ("{\"text\": \"They left.\"}\n", TREES[0]),
        ("{\"tokens\": \n", "X-FAILED"),
        ("{\"text\": \"Who left?\"}\n", TREES[2]),
    ] {
        write!(stream, "{:x}\r\n{line}\r\n", line.len()).unwrap();
        until(answer);
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    until("0\r\n");
}

#[test]
fn a_token_guards_all_but_the_page_and_the_probes() {
    let service = Service::start(Config { token: Some("secret".to_owned()), ..config() }, parser(|_| ()));
    for path in ["/v1/parse", "/v1/draw", "/metrics"] {
        let method = if path == "/metrics" { "GET" } else { "POST" };
        for header in ["", "Authorization: Bearer wrong\r\n", "Authorization: secret\r\n"] {
            let response = service.ask(method, path, header, b"x");
            assert_eq!((response.status, response.problem().as_str()), (401, "token"));
            assert!(response.head.contains("www-authenticate: bearer"));
        }
    }
    let right = service.ask("POST", "/v1/parse", "Authorization: Bearer secret\r\n", b"They left.");
    assert_eq!(right.body.trim_end(), TREES[0]);
    for path in ["/", "/main.js", "/healthz", "/readyz", "/openapi.json"] {
        assert_eq!(service.ask("GET", path, "", b"").status, 200, "{path}");
    }
}

#[test]
fn an_accepted_request_is_answered_after_the_end() {
    let parsed = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&parsed);
    let slow = parser(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(300));
    });
    let mut service = Service::start(Config { threads: 1, ..config() }, slow);
    let streams: Vec<_> = (0..5).map(|_| service.send("POST", "/v1/parse", "", b"They left.")).collect();
    while parsed.load(Ordering::SeqCst) == 0 {
        thread::sleep(Duration::from_millis(2));
    }
    service.end();
    for stream in streams {
        let response = Response::read(stream);
        assert_eq!((response.status, response.body.trim_end()), (200, TREES[0]));
    }
    assert!(TcpStream::connect(service.address).is_err(), "nothing is accepted any more");
}

#[test]
fn who_comes_at_the_last_moment_is_still_answered() {
    let mut service = Service::usual();
    service.end.take().unwrap().send(()).unwrap();
    // Only a service that is told to end, and still accepts, answers so.
    while service.ask("GET", "/readyz", "", b"").status != 503 {
        thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(service.post("/v1/parse", "They left.").body.trim_end(), TREES[0]);
}

#[test]
fn cors_is_off_unless_asked_for() {
    let origin = "Origin: https://example.org\r\n";
    let off = Service::usual().ask("POST", "/v1/parse", origin, b"They left.");
    assert!(!off.head.contains("access-control-allow-origin"), "{off:?}");
    let cors = vec!["https://example.org".to_owned()];
    let on = Service::start(Config { cors, ..config() }, parser(|_| ()));
    let response = on.ask("POST", "/v1/parse", origin, b"They left.");
    assert!(response.head.contains("access-control-allow-origin: https://example.org"), "{response:?}");
}

#[test]
fn operations_answer_and_are_described() {
    let service = Service::usual();
    let tree = TREES[1];
    let svg = service.json("/v1/draw", &json!({"tree": tree}));
    assert!(svg.body.starts_with("<svg") && svg.head.contains("image/svg+xml"), "{svg:?}");
    for (to, media) in [("png", "image/png"), ("pdf", "application/pdf"), ("forest", "application/x-latex")] {
        let picture = service.json("/v1/draw", &json!({"tree": tree, "to": to}));
        assert_eq!(picture.status, 200);
        assert!(picture.head.contains(media), "{to}");
    }
    let derived = service.json("/v1/derive", &json!({"tree": tree}));
    assert!(derived.body.contains("\"steps\":[{") && derived.body.contains("data-row"), "{derived:?}");
    let relations = service.json("/v1/convert", &json!({"trees": tree, "to": "relations"}));
    assert!(relations.body.contains("running"), "{relations:?}");
    let found = service.json("/v1/search", &json!({"trees": tree, "name": "subject-control"}));
    assert!(found.body.contains("\"matches\":[{"), "{found:?}");
    let about = service.json("/v1/inspect", &json!({"tree": tree}));
    assert!(about.body.contains("subject of running"), "{about:?}");
    let description: Value = serde_json::from_str(&openapi()).unwrap();
    for path in ["parse", "draw", "convert", "derive", "edit", "inspect", "search"] {
        assert!(description["paths"][format!("/v1/{path}")]["post"].is_object(), "{path}");
    }
    let metrics = service.ask("GET", "/metrics", "", b"").body;
    assert!(metrics.contains("tracebank_requests_total{path=\"/v1/draw\",status=\"200\"} 4"), "{metrics}");
}
