//! Follows the chasers of a server from its messages: for clients, without an engine and without any part
//! of the server.
//!
//! A [`Client`] takes [`Packet`](nav_protocol::Packet)s in whatever order they come, and says at every frame
//! where everybody in view is and which way they face. A [`Follower`] does so for one chaser, for clients
//! that keep their own list.
//!
//! # How a chaser is followed
//!
//! - The points of a path are laid out in time, by their arrivals: where the chaser is at a moment.
//! - The follower walks from point to point so as to be there in time; a point counts as *touched* within
//!   [`Settings::touch`] units, and corners are cut so far. It passes from one cell to the next when the
//!   server's chaser does, in the middle of the step.
//! - Who is off the way or late walks faster, up to [`Settings::catch_up`] times; who is further off than
//!   [`Settings::snap`] is put there.
//! - Within [`Settings::steer_within`] units of its target, at the end of its way, it goes straight for
//!   where the target is by now, until that is within reach, and stays near its way.
//!
//! # Loss and disorder
//!
//! What a packet says of an agent holds until a packet with a greater sequence says otherwise, in whatever
//! order they come. Gaps are noticed, and [`Client::request`] says what to ask the server for.
//!
//! # Time
//!
//! The caller says what time it is. The tick of the server is estimated from the packets that were
//! fastest, and the client shows the world as it was [`Settings::lag`] before that: with a lag that is
//! longer than messages are under way, everything is known when it is shown.
//!
//! # Example
//!
//! ```
//! use nav_client::{Client, Settings};
//! use nav_protocol::{AgentKind, Appear, Packet, PathAhead, Start, Up, Update};
//! use std::time::Duration;
//!
//! let start = Start { tick_micros: 50_000, cell_size: 1.0, up: Up::Y };
//! let appear = Appear { id: 7, kind: AgentKind::Chaser, at: [0.0; 3] };
//! // Four units a second, that is five ticks from one point to the next.
//! let path = PathAhead {
//!     id: 7,
//!     tick: 100,
//!     speed: 4.0,
//!     nav_path: vec![[0.0; 3], [4.0, 0.0, 0.0]],
//!     arrivals: vec![0, 20],
//!     ..PathAhead::default()
//! };
//! let updates = vec![Update::Start(start), Update::Appear(appear), Update::Path(path)];
//!
//! let mut client = Client::new(Settings::default());
//! client.receive(&Packet::new(1, 100, updates), Duration::ZERO);
//! for frame in 0..=120 {
//!     client.advance(Duration::from_millis(frame * 10));
//! }
//! let chaser = client.agent(7).unwrap();
//! assert!(chaser.position()[0] > 3.0);
//! assert_eq!(chaser.facing(), [1.0, 0.0, 0.0]);
//! ```
//!
//! # Cost
//!
//! A frame costs O(agents in view × points that lie behind since the last one), a packet O(log agents) for
//! each update and O(agents) for each who is new. Nothing is allocated once there was room for as many
//! agents and points before.

mod client;
mod clock;
mod follower;
mod gaps;
mod ground;
mod roster;
mod settings;
mod track;
mod vector;

pub use client::{Client, Received};
pub use follower::{FollowState, Follower};
pub use ground::Ground;
pub use roster::Agent;
pub use settings::Settings;
