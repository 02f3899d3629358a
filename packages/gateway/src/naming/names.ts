/** What a profile may be called: it is the end of a path; two names belong to HTTP+SSE. */
export const profileName = /^(?!(?:sse|message)$)[A-Za-z0-9_-]{1,64}$/

/** What a server may be called: it is the beginning of names that models call. */
export const serverName = /^(?!.*__)[A-Za-z0-9][A-Za-z0-9_-]{0,31}(?<!_)$/
