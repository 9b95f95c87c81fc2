//! Follows the chasers of a server from its messages. For clients: needs no engine and no part of
//! the server.
//!
//! A [`Client`] takes [`Packet`](nav_protocol::Packet)s in any order, and returns in every frame
//! where each agent in view is and which way it faces. A [`Follower`] does the same for one chaser,
//! for clients that keep their own list.
//!
//! # How a chaser is followed
//!
//! - The points of a path, with their arrivals, tell where the chaser is at each moment.
//! - The follower walks from point to point so that it arrives in time. A point counts as *touched*
//!   within [`Settings::touch`] units, and corners are cut by as much. It crosses into the next
//!   cell at the same time as the server's chaser, in the middle of the step.
//! - A follower that is late or off the path walks faster, up to [`Settings::catch_up`] times.
//!   Beyond [`Settings::snap`] it jumps.
//! - At the end of its path, within [`Settings::steer_within`] units of its target, it goes
//!   straight to the target's current place until that is within reach. It stays close to its path.
//!
//! # Loss and disorder
//!
//! What a packet says about an agent holds until a packet with a greater sequence says otherwise,
//! whatever the order of arrival. Gaps are noticed, and [`Client::request`] returns what to request
//! from the server.
//!
//! # Time
//!
//! The caller passes the time. The server's tick is estimated from the fastest packets, and the
//! client shows the world [`Settings::lag`] earlier. If the lag is longer than packets travel,
//! everything is known before it is shown.
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
//! // Four units a second: five ticks for each unit.
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
//! A frame costs O(agents in view × points passed since the last frame). A packet costs O(log
//! agents) per update, and O(agents) per new agent. Once there was room for as many agents and
//! points, nothing is allocated.

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
