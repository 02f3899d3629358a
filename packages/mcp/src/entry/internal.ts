// Exports shared by Parley's own packages. Not part of the API: it changes with any release, and `api/` does not list it.

export { BoundedMap } from '../rpc/bounded-map.ts'
export { createTokenBuckets, type Rate, type TokenBuckets } from '../rpc/rate.ts'
export { BodyTooLong, readBounded } from '../transport/read-bounded.ts'
