//! The web server: the page and its parts, the map, metrics, and connections.

use crate::{
    change::{Change, MAP_MAX},
    connection::{ClientId, Command, Encoding, View},
    control::{Control, is_own_host, is_own_origin},
    ground::Ground,
    guesses::{Guesses, Verdict},
    listener::Peer,
    metrics::{CONTENT_TYPE, MetricText},
    session,
};
use axum::body::{Bytes, to_bytes};
use axum::{
    Router,
    extract::{Extension, Path, Query, Request, State, WebSocketUpgrade},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
    mpsc::SyncSender,
};
use std::time::Duration;
use tokio::{
    sync::{Semaphore, oneshot},
    task::spawn_blocking,
    time,
};

/// State shared by all requests.
pub(crate) struct Shared {
    pub(crate) commands: SyncSender<Command>,
    pub(crate) ground: Arc<Mutex<Ground>>,
    pub(crate) clients_max: usize,
    /// Places for clients that are free.
    pub(crate) places: Arc<Semaphore>,
    pub(crate) last_client: AtomicU64,
    pub(crate) control: Control,
    pub(crate) guesses: Guesses,
    /// One map is read at a time, so that maps of clients take bounded memory.
    pub(crate) upload: Semaphore,
    /// Names by which browsers may call the server, besides addresses and `localhost`.
    pub(crate) hosts: Vec<String>,
}

/// Returns the routes.
pub(crate) fn router(shared: &Arc<Shared>) -> Router<Arc<Shared>> {
    let own_hosts = middleware::from_fn_with_state(Arc::clone(shared), only_own_hosts);
    Router::new()
        .route(
            "/",
            get(async || part(include_str!("page/index.html"), "text/html")),
        )
        .route(
            "/page.css",
            get(async || part(include_str!("page/page.css"), "text/css")),
        )
        .merge(scripts())
        .route("/ground", get(ground))
        .route("/classes", get(classes))
        .route("/metrics", get(metrics))
        .route("/ws", get(connect))
        .route("/scenario/{name}", post(change_scenario))
        .route("/map", post(change_map))
        .layer(own_hosts)
}

/// Refuses requests of browsers that call the server by a name that is not its own.
async fn only_own_hosts(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let host = request.headers().get(header::HOST);
    let is_own = host.is_none_or(|host| {
        host.to_str()
            .is_ok_and(|host| is_own_host(host, &shared.hosts))
    });
    if is_own {
        return next.run(request).await;
    }
    let why = "unknown host name; allow it with `--host`";
    (StatusCode::MISDIRECTED_REQUEST, why).into_response()
}

/// The scripts of the page.
const SCRIPTS: [(&str, &str); 8] = [
    ("/page.js", include_str!("page/page.js")),
    ("/agents.js", include_str!("page/agents.js")),
    ("/scene.js", include_str!("page/scene.js")),
    ("/discs.js", include_str!("page/discs.js")),
    ("/camera.js", include_str!("page/camera.js")),
    ("/chart.js", include_str!("page/chart.js")),
    ("/floors.js", include_str!("page/floors.js")),
    ("/inspector.js", include_str!("page/inspector.js")),
];

fn scripts() -> Router<Arc<Shared>> {
    let mut router = Router::new();
    for (path, text) in SCRIPTS {
        router = router.route(path, get(async move || part(text, "text/javascript")));
    }
    router
}

/// Returns a part of the page. Its headers forbid the browser to load anything from elsewhere.
fn part(text: &'static str, kind: &'static str) -> Response {
    let policy = "default-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'";
    let headers = [
        (header::CONTENT_TYPE, format!("{kind}; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy.to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    (headers, text).into_response()
}

async fn ground(State(shared): State<Arc<Shared>>) -> Response {
    binary(lock(&shared.ground).costs.clone())
}

async fn classes(State(shared): State<Arc<Shared>>) -> Response {
    binary(lock(&shared.ground).classes.clone())
}

fn lock(ground: &Mutex<Ground>) -> MutexGuard<'_, Ground> {
    ground.lock().unwrap_or_else(PoisonError::into_inner)
}

fn binary(bytes: Bytes) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/octet-stream")];
    (kind, bytes).into_response()
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let (answer, answered) = oneshot::channel();
    if (shared.commands.try_send(Command::Metrics(answer))).is_ok()
        && let Ok(of_host) = answered.await
    {
        let mut own = MetricText::default();
        let lines = format!(
            "clients_max {} Most clients at the same time.
            wrong_tokens_total {} Wrong control tokens.",
            shared.clients_max,
            shared.guesses.wrong()
        );
        own.add("chase_", "", &lines);
        let kind = [(header::CONTENT_TYPE, CONTENT_TYPE)];
        return (kind, format!("{of_host}{own}")).into_response();
    }
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

/// Parameters of a request for a hunt on a map.
#[derive(serde::Deserialize)]
struct MapRequest {
    /// The name of the map.
    #[serde(default)]
    name: String,
}

async fn change_scenario(
    State(shared): State<Arc<Shared>>,
    Extension(peer): Extension<Arc<Peer>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    may_change(&shared, &peer, &headers).await?;
    change(&shared, move || Change::to_scenario(&name)).await
}

/// Reads the map only once the client may send one.
async fn change_map(
    State(shared): State<Arc<Shared>>,
    Extension(peer): Extension<Arc<Peer>>,
    Query(map): Query<MapRequest>,
    request: Request,
) -> Result<StatusCode, Refusal> {
    may_change(&shared, &peer, request.headers()).await?;
    let Ok(_turn) = shared.upload.try_acquire() else {
        return Err(refusal(
            StatusCode::SERVICE_UNAVAILABLE,
            "another map is being read: try again",
        ));
    };
    let reading = to_bytes(request.into_body(), MAP_MAX);
    let Ok(read) = time::timeout(UPLOAD, reading).await else {
        return Err(refusal(
            StatusCode::REQUEST_TIMEOUT,
            "the map took too long",
        ));
    };
    let Ok(bytes) = read else {
        let why = format!("a map has at most {} MiB", MAP_MAX >> 20);
        return Err((StatusCode::PAYLOAD_TOO_LARGE, why));
    };
    change(&shared, move || Change::to_map(map.name, &bytes)).await
}

/// An answer that refuses a request, with a sentence.
type Refusal = (StatusCode, String);

fn refusal(status: StatusCode, why: &str) -> Refusal {
    (status, why.to_owned())
}

/// Refuses clients that may not change the world.
async fn may_change(shared: &Shared, peer: &Peer, headers: &HeaderMap) -> Result<(), Refusal> {
    if is_same_origin(headers, &shared.hosts) && may_control(shared, peer, headers).await? {
        return Ok(());
    }
    let why = "only clients with the control token may do that";
    Err(refusal(StatusCode::FORBIDDEN, why))
}

/// Returns whether the token of a request is right. Refuses an address that tries many at once.
async fn may_control(shared: &Shared, peer: &Peer, headers: &HeaderMap) -> Result<bool, Refusal> {
    let (control, token) = (&shared.control, token_of(headers));
    match shared.guesses.check(control, token, peer.address()).await {
        Verdict::Allowed => Ok(true),
        Verdict::Wrong => Ok(false),
        Verdict::TooMany => {
            let why = "too many wrong control tokens from this address: try again in a second";
            Err(refusal(StatusCode::TOO_MANY_REQUESTS, why))
        }
    }
}

/// Returns the control token of a request. Programs and the page send it as `Authorization: Bearer
/// TOKEN`, and to open a `WebSocket`, where a page can set no header, as the subprotocol
/// `control.TOKEN`. Never as part of a URL, which proxies log.
pub(crate) fn token_of(headers: &HeaderMap) -> Option<&str> {
    if let Some(Ok(text)) = headers.get(header::AUTHORIZATION).map(HeaderValue::to_str)
        && let Some(token) = text.strip_prefix("Bearer ")
    {
        return Some(token);
    }
    let protocols = headers.get(header::SEC_WEBSOCKET_PROTOCOL)?.to_str().ok()?;
    let mut names = protocols.split(',').map(str::trim);
    names.find_map(|name| name.strip_prefix("control."))
}

/// Serves another world.
async fn change(
    shared: &Shared,
    prepare: impl FnOnce() -> Result<Change, String> + Send + 'static,
) -> Result<StatusCode, Refusal> {
    let (answer, answered) = oneshot::channel();
    let change = match spawn_blocking(prepare).await {
        Ok(Ok(change)) => Box::new(change),
        Ok(Err(why)) => return Err((StatusCode::BAD_REQUEST, why)),
        Err(_) => {
            let why = "the world cannot be prepared";
            return Err(refusal(StatusCode::INTERNAL_SERVER_ERROR, why));
        }
    };
    let command = Command::Change(change, answer);
    shared.commands.try_send(command).map_err(|_| busy())?;
    match answered.await {
        Ok(Ok(())) => Ok(StatusCode::NO_CONTENT),
        Ok(Err(why)) => Err((StatusCode::BAD_REQUEST, why)),
        Err(_) => Err(busy()),
    }
}

fn busy() -> Refusal {
    refusal(StatusCode::SERVICE_UNAVAILABLE, "the server is busy")
}

/// Parameters of a connection.
#[derive(serde::Deserialize)]
struct ViewRequest {
    #[serde(default)]
    view: ViewName,
    #[serde(default)]
    format: Encoding,
}

#[derive(Clone, Copy, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum ViewName {
    #[default]
    All,
    Near,
}

async fn connect(
    State(shared): State<Arc<Shared>>,
    Extension(peer): Extension<Arc<Peer>>,
    Query(wanted): Query<ViewRequest>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    if !is_same_origin(&headers, &shared.hosts) {
        let why = "connections are for pages of this server";
        return Err(refusal(StatusCode::FORBIDDEN, why));
    }
    let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() else {
        let why = "the server is full";
        return Err(refusal(StatusCode::SERVICE_UNAVAILABLE, why));
    };
    let id: ClientId = shared.last_client.fetch_add(1, Ordering::Relaxed) + 1;
    let view = match wanted.view {
        ViewName::All => View::All,
        ViewName::Near => View::Near(wanted.format),
    };
    let with = (view, may_control(&shared, &peer, &headers).await?);
    peer.becomes_websocket();
    let commands = shared.commands.clone();
    Ok(upgrade
        .protocols([PROTOCOL])
        .max_message_size(session::MESSAGE_MAX)
        .max_frame_size(session::MESSAGE_MAX)
        .on_upgrade(move |socket| async move {
            session::run(socket, id, with, commands).await;
            drop((place, peer));
        }))
}

/// The subprotocol of connections: beside it a client may name its [token](token_of).
const PROTOCOL: &str = "chase";

/// How long a map may take to come: 8 MiB on a line of 1.1 Mbit/s.
const UPLOAD: Duration = Duration::from_mins(1);

/// Returns whether a request comes from a page of this server, or from a program that is no
/// browser. Browsers send the origin of a page, and a page from elsewhere must not control a
/// player.
fn is_same_origin(headers: &HeaderMap, names: &[String]) -> bool {
    let (origin, host) = (headers.get(header::ORIGIN), headers.get(header::HOST));
    match (
        origin.map(HeaderValue::to_str),
        host.map(HeaderValue::to_str),
    ) {
        (None, _) => true,
        (Some(Ok(origin)), Some(Ok(host))) => is_own_origin(origin, host, names),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_in_headers() {
        let token = |name, value| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            token_of(&headers).map(str::to_owned)
        };
        let cases = [
            (header::AUTHORIZATION, "Bearer a-token", Some("a-token")),
            (header::AUTHORIZATION, "Basic a-token", None),
            (
                header::SEC_WEBSOCKET_PROTOCOL,
                "chase, control.a-token",
                Some("a-token"),
            ),
            (header::SEC_WEBSOCKET_PROTOCOL, "chase", None),
        ];
        for (name, value, expected) in cases {
            assert_eq!(token(name, value).as_deref(), expected, "{value}");
        }
    }
}
