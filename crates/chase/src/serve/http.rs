//! The web server: the page and its parts, the map, metrics, and connections.

use super::{
    change::{Change, MAP_MAX},
    control::{Control, is_own_host},
    door::Visit,
    ground::Ground,
    link::{Encoding, LinkId, Order, View},
    metrics::CONTENT_TYPE,
    session,
};
use axum::body::Bytes;
use axum::{
    Router,
    extract::{DefaultBodyLimit, Extension, Path, Query, Request, State, WebSocketUpgrade},
    http::{HeaderMap, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use std::fmt::Write;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, AtomicUsize, Ordering},
    mpsc::SyncSender,
};
use tokio::{sync::oneshot, task::spawn_blocking};

/// State shared by all requests.
pub(super) struct Shared {
    pub(super) orders: SyncSender<Order>,
    pub(super) ground: Arc<Mutex<Ground>>,
    pub(super) clients_max: usize,
    pub(super) clients: AtomicUsize,
    pub(super) last_link: AtomicU64,
    pub(super) control: Control,
    /// Names by which browsers may call the server, besides addresses and `localhost`.
    pub(super) hosts: Vec<String>,
}

/// Returns the routes.
pub(super) fn router(shared: &Arc<Shared>) -> Router<Arc<Shared>> {
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
        .route(
            "/map",
            post(change_map).layer(DefaultBodyLimit::max(MAP_MAX)),
        )
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
    let why = "the server is not called so: see --host of chase serve";
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
    let route = |router: Router<_>, (path, text)| {
        router.route(path, get(async move || part(text, "text/javascript")))
    };
    SCRIPTS.into_iter().fold(Router::new(), route)
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
    let (answer, text) = oneshot::channel();
    if shared.orders.try_send(Order::Metrics(answer)).is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    match text.await {
        Ok(mut text) => {
            let name = "chase_clients_max";
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "# HELP {name} Most clients at the same time.\n# TYPE {name} gauge\n{name} {}\n",
                shared.clients_max
            );
            ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response()
        }
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Parameters of a request for another world.
#[derive(serde::Deserialize)]
struct ChangeWish {
    /// The name of a map.
    #[serde(default)]
    name: String,
    control: Option<String>,
}

async fn change_scenario(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    Query(wish): Query<ChangeWish>,
    headers: HeaderMap,
) -> Response {
    let prepare = move || Change::to_scenario(&name);
    change(&shared, &headers, wish.control.as_deref(), prepare).await
}

async fn change_map(
    State(shared): State<Arc<Shared>>,
    Query(wish): Query<ChangeWish>,
    headers: HeaderMap,
    map: Bytes,
) -> Response {
    let prepare = move || Change::to_map(wish.name, &map);
    change(&shared, &headers, wish.control.as_deref(), prepare).await
}

/// Serves another world, if the client may ask for it. An answer that refuses it says why.
async fn change(
    shared: &Shared,
    headers: &HeaderMap,
    token: Option<&str>,
    prepare: impl FnOnce() -> Result<Change, String> + Send + 'static,
) -> Response {
    if !is_same_origin(headers) || !shared.control.allows(token) {
        let why = "only clients with the control token may do that";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let (answer, answered) = oneshot::channel();
    let prepared = spawn_blocking(prepare).await;
    let change = match prepared {
        Ok(Ok(change)) => Box::new(change),
        Ok(Err(why)) => return (StatusCode::BAD_REQUEST, why).into_response(),
        Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    if shared
        .orders
        .try_send(Order::Change(change, answer))
        .is_err()
    {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    match answered.await {
        Ok(Ok(())) => StatusCode::NO_CONTENT.into_response(),
        Ok(Err(why)) => (StatusCode::BAD_REQUEST, why).into_response(),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Parameters of a connection.
#[derive(serde::Deserialize)]
struct Wish {
    #[serde(default)]
    view: ViewName,
    #[serde(default)]
    format: Encoding,
    control: Option<String>,
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
    Extension(visit): Extension<Arc<Visit>>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_same_origin(&headers) {
        let why = "connections are for pages of this server";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let Some(seat) = Seat::take(&shared) else {
        let why = "there are as many clients as the server takes";
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    };
    let id: LinkId = shared.last_link.fetch_add(1, Ordering::Relaxed) + 1;
    let view = match wish.view {
        ViewName::All => View::All,
        ViewName::Near => View::Near(wish.format),
    };
    let with = (view, shared.control.allows(wish.control.as_deref()));
    visit.seat();
    upgrade
        .max_message_size(session::MESSAGE_MAX)
        .max_frame_size(session::MESSAGE_MAX)
        .on_upgrade(move |socket| async move {
            session::run(socket, id, with, seat.0.orders.clone()).await;
            drop((seat, visit));
        })
}

/// Returns whether a request comes from a page of this server, or from a program that is no
/// browser. Browsers send the origin of a page, and a page from elsewhere must not control a
/// player.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().ok());
    match (text(header::ORIGIN), text(header::HOST)) {
        (None, _) => true,
        (Some(Some(origin)), Some(Some(host))) => origin
            .split_once("://")
            .is_some_and(|(_, authority)| authority == host),
        _ => false,
    }
}

/// A place for a client, free again when dropped.
struct Seat(Arc<Shared>);

impl Seat {
    fn take(shared: &Arc<Shared>) -> Option<Self> {
        let more = |clients| (clients < shared.clients_max).then_some(clients + 1);
        let taken = shared
            .clients
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.ok().map(|_| Self(Arc::clone(shared)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.clients.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn foreign_pages_are_refused() {
        let headers = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8080"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            headers
        };
        assert!(is_same_origin(&headers(None)));
        assert!(is_same_origin(&headers(Some("http://127.0.0.1:8080"))));
        for other in [
            "http://evil.example",
            "null",
            "http://127.0.0.1:8081",
            "127.0.0.1:8080",
            "",
        ] {
            assert!(!is_same_origin(&headers(Some(other))), "{other}");
        }
    }
}
