/** What the reference says about tools that only read: its other two hints mean nothing for them. */
export const readingHints = { readOnlyHint: true, openWorldHint: false } as const
