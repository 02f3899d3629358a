/** The longest OpenAPI document that is read, in bytes. */
export const maxDocumentBytes = 32 * 1024 * 1024
