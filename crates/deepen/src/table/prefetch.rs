//! Having memory fetched before it is needed.

/// Has the processor fetch the element at that index into its caches, without waiting for it.
/// Nothing happens if there is no such element, or no way to ask this processor.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(elements: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if index < elements.len() {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: The address is inside of the slice. (A prefetch reads nothing and may be given
        // any address at all.)
        unsafe { _mm_prefetch::<_MM_HINT_T0>(elements.as_ptr().add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (elements, index);
}
