//! A headless Chromium, driven through chromedriver, and a server on this machine for what it opens.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// Time for anything in a browser: machines that run tests may be busy with much else.
const PATIENCE: Duration = Duration::from_secs(240);

/// One browser at a time: several at once are slower than one after the other.
static ONE: Mutex<()> = Mutex::new(());

/// A browser with a new, empty profile; it goes away with the value.
pub(crate) struct Browser {
    runtime: Runtime,
    client: Option<Client>,
    driver: Child,
    _profile: tempfile::TempDir,
    _one: MutexGuard<'static, ()>,
}

impl Browser {
    pub(crate) fn start() -> Self {
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let profile = tempfile::tempdir().unwrap();
        let mut driver = Command::new("/usr/bin/chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver: {error}; `cargo xtask setup` installs it"));
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let port = port.expect("chromedriver says where it listens");
        // Nobody reads what it says from here on, and it must not wait for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-unsafe-swiftshader",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            // Pages of viewers ask for fonts and scripts of other hosts. Where a machine's network swallows that
            // without an answer they would wait for minutes: no name but this machine's is looked up.
            "--no-proxy-server",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--window-size=1280,900",
        ];
        let mut arguments: Vec<String> = arguments.map(str::to_owned).to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        let options = json!({"binary": "/usr/bin/chromium", "args": arguments});
        // Opening does not wait: all waiting has one limit, and says what it waited for.
        let capabilities =
            [("goog:chromeOptions".to_owned(), options), ("pageLoadStrategy".to_owned(), "none".into())];
        let capabilities = capabilities.into_iter().collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(capabilities).connect(&format!("http://127.0.0.1:{port}")).await
        });
        let client = match client {
            Ok(client) => client,
            Err(error) => {
                let _ = driver.kill();
                panic!("chromium does not start: {error}");
            }
        };
        Self { runtime, client: Some(client), driver, _profile: profile, _one: one }
    }

    fn client(&self) -> &Client {
        self.client.as_ref().unwrap()
    }

    /// Opens one of our own files, and waits until all of it is there.
    pub(crate) fn open(&self, url: &str) {
        self.open_viewer(url);
        self.wait("return document.readyState === 'complete'");
    }

    /// Opens a page, and waits until its document is there. What it loads besides may still come: the test
    /// waits for what it needs.
    pub(crate) fn open_viewer(&self, url: &str) {
        self.runtime.block_on(self.client().goto(url)).unwrap();
        let origin = url.split(['#', '?']).next().unwrap();
        self.wait(&format!(
            "return location.href.startsWith({}) && document.readyState !== 'loading'",
            Value::from(origin)
        ));
    }

    /// Runs a function body in the page.
    pub(crate) fn run(&self, script: &str, arguments: &[Value]) -> Value {
        let result = self.runtime.block_on(self.client().execute(script, arguments.to_vec()));
        result.unwrap_or_else(|error| panic!("{error}\nin {script}"))
    }

    /// Runs an asynchronous function body in the page, and gives back what it returns.
    pub(crate) fn run_async(&self, script: &str, arguments: &[Value]) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; const given = [...arguments];
             (async () => {{ {script} }})().then(value => done({{value}}), error => done({{error: String(error)}}));"
        );
        let result = self.runtime.block_on(self.client().execute_async(&script, arguments.to_vec())).unwrap();
        assert!(result["error"].is_null(), "{}\nin {script}", result["error"]);
        result["value"].clone()
    }

    /// Waits until a function body gives something that is true.
    pub(crate) fn wait(&self, script: &str) -> Value {
        let start = Instant::now();
        loop {
            // While a page makes room for another there is none to run anything in.
            let value = self.runtime.block_on(self.client().execute(script, Vec::new())).unwrap_or_default();
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
            if start.elapsed() > PATIENCE {
                let text =
                    self.run("return document.title + ': ' + document.body.innerText.slice(0, 2000)", &[]);
                panic!("waited for {script}; the page is {text}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// A click of the mouse in the middle of what a selector finds.
    pub(crate) fn click(&self, selector: &str) {
        self.runtime.block_on(async {
            let element = self.client().find(Locator::Css(selector)).await.unwrap();
            element.click().await.unwrap();
        });
    }

    /// A click of the mouse at a place of the window.
    pub(crate) fn click_at(&self, x: f64, y: f64) {
        use fantoccini::actions::{InputSource, MouseActions, PointerAction};
        let to = PointerAction::MoveTo { duration: None, x, y };
        let button = fantoccini::actions::MOUSE_BUTTON_LEFT;
        let mouse = MouseActions::new("mouse".to_owned()).then(to);
        let mouse = mouse.then(PointerAction::Down { button }).then(PointerAction::Up { button });
        self.runtime.block_on(self.client().perform_actions(mouse)).unwrap();
    }

    /// Types into what a selector finds.
    pub(crate) fn keys(&self, selector: &str, text: &str) {
        self.runtime.block_on(async {
            let element = self.client().find(Locator::Css(selector)).await.unwrap();
            element.send_keys(text).await.unwrap();
        });
    }

    /// Does something inside of a frame.
    pub(crate) fn in_frame<T>(&self, selector: &str, inside: impl FnOnce(&Self) -> T) -> T {
        self.runtime.block_on(async {
            self.client().find(Locator::Css(selector)).await.unwrap().enter_frame().await.unwrap();
        });
        let made = inside(self);
        self.runtime.block_on(async { self.client().clone().enter_parent_frame().await.unwrap() });
        made
    }

    /// Picture of the page, as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        self.runtime.block_on(self.client().screenshot()).unwrap()
    }

    /// Keeps the picture where `SCREENSHOTS` names a folder, for people to look at.
    pub(crate) fn keep_picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("SCREENSHOTS") {
            std::fs::write(Path::new(&folder).join(name), self.picture()).unwrap();
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            let close = async { tokio::time::timeout(Duration::from_secs(10), client.close()).await };
            let _ = self.runtime.block_on(close);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Files of a folder, and some of its own, on a port of this machine.
pub(crate) struct Server {
    server: Arc<tiny_http::Server>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// `own` are paths and what is there; all others are files below `folder`.
    pub(crate) fn start(folder: PathBuf, own: Vec<(String, Vec<u8>)>) -> Self {
        let server = Arc::new(tiny_http::Server::http("127.0.0.1:0").unwrap());
        let requests = Arc::clone(&server);
        let thread = std::thread::spawn(move || {
            for request in requests.incoming_requests() {
                let path = request
                    .url()
                    .split(['?', '#'])
                    .next()
                    .unwrap_or_default()
                    .trim_start_matches('/')
                    .to_owned();
                let path = if path.is_empty() { "index.html".to_owned() } else { path };
                let own = own.iter().find(|(name, _)| *name == path).map(|(_, bytes)| bytes.clone());
                let inside = !path.split('/').any(|part| part == "..");
                let bytes = own.or_else(|| inside.then(|| std::fs::read(folder.join(&path)).ok()).flatten());
                let kind = match path.rsplit('.').next() {
                    Some("html") => "text/html; charset=utf-8",
                    Some("js") => "text/javascript",
                    Some("css") => "text/css",
                    Some("wasm") => "application/wasm",
                    Some("svg") => "image/svg+xml",
                    Some("json") => "application/json",
                    _ => "application/octet-stream",
                };
                let header = tiny_http::Header::from_bytes("Content-Type", kind).unwrap();
                // A browser that is gone is no failure of the server's.
                let _ = match bytes {
                    Some(bytes) => request.respond(tiny_http::Response::from_data(bytes).with_header(header)),
                    None => request.respond(tiny_http::Response::empty(404)),
                };
            }
        });
        Self { server, thread: Some(thread) }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.server.server_addr())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A folder of the viewers that `cargo xtask setup` installs.
pub(crate) fn viewer(path: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("viewers").join(path);
    assert!(folder.is_dir(), "{}: not there; `cargo xtask setup` installs it", folder.display());
    folder
}

/// The only folder in a folder whose name begins like this.
pub(crate) fn version_folder(folder: &Path, begin: &str) -> String {
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let found: Vec<String> = names.filter(|name| name.starts_with(begin)).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap()
}
