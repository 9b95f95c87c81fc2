//! Faults of settings: chasers, timers and behaviours tuned while they run.

use super::super::tester::Tester;
use bevy_ecs::prelude::*;
use nav::{Chaser, MoveTimer, NavClock, Period};
use nav_behaviour::{
    Formation, FormationShape, GiveUp, GoTo, Home, InFormation, Intercept, KeepDistance, Leash,
    Notice, Noticeable, Patrol, PatrolOrder, StuckWatch,
};
use nav_grid::Limits;

const SHAPES: [FormationShape; 4] = [
    FormationShape::Column,
    FormationShape::Line,
    FormationShape::Wedge,
    FormationShape::Ring,
];

impl Tester {
    pub(super) fn retune(&mut self) -> String {
        let other = self.scene.other_tuning(&mut self.draw);
        let interval = Period::from_millis(self.draw.number(50, 1000).into());
        self.of_npc(|agent, draw| {
            let Some(mut chaser) = agent.get_mut::<Chaser>() else {
                return String::new();
            };
            let footprint = chaser.rules.footprint;
            *chaser = other;
            chaser.rules.footprint = footprint;
            chaser.repath_interval = interval;
            chaser.displacement = draw.one_of(&[0.0, 0.5, 2.0]);
            format!("{:?}, {:?}", other.method, other.rules)
        })
    }

    /// Settings that end chases; [calm](super::super::calm) puts them right.
    pub(super) fn nonsense(&mut self) -> String {
        self.of_npc(|agent, draw| {
            let Some(mut chaser) = agent.get_mut::<Chaser>() else {
                return String::new();
            };
            match draw.number(0, 4) {
                0 => chaser.displacement = f32::NAN,
                1 => chaser.displacement = -1.0,
                2 => chaser.stop_distance = 0,
                3 => {
                    chaser.limits = Limits {
                        expansions: 0,
                        ..chaser.limits
                    }
                }
                _ => {
                    chaser.limits = Limits {
                        radius: 0,
                        ..chaser.limits
                    }
                }
            }
            format!("{:?}", *chaser)
        })
    }

    pub(super) fn period(&mut self) -> String {
        self.of_npc(|agent, draw| {
            let now = agent.world().resource::<NavClock>().now();
            let put_off = draw.percent(30);
            let period = Period::from_millis(draw.one_of(&[50, 100, 250, 400, 1000]));
            let Some(mut timer) = agent.get_mut::<MoveTimer>() else {
                return String::new();
            };
            (timer.chasing, timer.idle) = (period, period);
            if put_off {
                timer.next_step = now.after(period);
            }
            format!("{period:?}, put off: {put_off}")
        })
    }

    pub(super) fn behave(&mut self) -> String {
        if !self.has_behaviours {
            return String::new();
        }
        let (cell, other) = (self.cell(), self.cell());
        let leader = self.anybody();
        let give = self.draw.percent(65);
        let what = self.draw.number(0, 11);
        self.of_anybody(|agent, draw| {
            /// Gives a component or takes it.
            fn set<C: Component>(agent: &mut EntityWorldMut, give: bool, component: C) {
                if give {
                    agent.insert(component);
                } else {
                    agent.remove::<C>();
                }
            }
            let period = Period::from_millis(draw.number(0, 4000).into());
            let range = draw.number(0, 30);
            let agent = &mut *agent;
            match what {
                0 => set(agent, give, Notice::new(range)),
                1 => set(agent, give, Noticeable::default()),
                2 => set(agent, give, Leash::new(range)),
                3 => {
                    let give_up = GiveUp {
                        unreachable: draw.percent(70).then_some(period),
                        out_of_reach: draw.percent(50).then_some(period),
                        ignores_for: period,
                    };
                    set(agent, give, give_up);
                }
                4 => set(agent, give, Home(cell)),
                5 => set(agent, give, GoTo(cell)),
                6 => {
                    let order =
                        draw.one_of(&[PatrolOrder::Loop, PatrolOrder::PingPong, PatrolOrder::Once]);
                    set(agent, give, Patrol::new(order, [cell, other]));
                }
                7 => set(agent, give, Formation::new(draw.one_of(&SHAPES))),
                8 => set(agent, give && agent.id() != leader, InFormation(leader)),
                9 => set(agent, give, Intercept::new(range)),
                10 => set(agent, give, KeepDistance { least: range / 3 }),
                _ => set(agent, give, StuckWatch::default()),
            }
            format!("{what} {give} {cell} {range}")
        })
    }
}
