/** Matches the name of a profile: it is the end of a path; two names belong to HTTP+SSE. */
export const profileName = /^(?!(?:sse|message)$)[A-Za-z0-9_-]{1,64}$/

/** Matches the name of a server: it is the beginning of names that models call. */
export const serverName = /^(?!.*__)[A-Za-z0-9][A-Za-z0-9_-]{0,31}(?<!_)$/
