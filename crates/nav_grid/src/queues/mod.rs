//! Priority queues for whole-number keys.

mod bucket_queue;
mod four_ary_heap;

pub(crate) use bucket_queue::BucketQueue;
pub(crate) use four_ary_heap::FourAryHeap;
