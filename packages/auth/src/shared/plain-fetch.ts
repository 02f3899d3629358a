import type { GuardedFetch } from './safe-fetch.ts'

/** Where sockets cannot be watched the runtime's own `fetch` has to do: names are resolved by it, unseen. */
export const fetchGuarded: GuardedFetch = (url, init) => fetch(url, init)
