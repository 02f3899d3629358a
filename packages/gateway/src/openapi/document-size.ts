/** The longest OpenAPI document that is read, in bytes. */
export const mostDocumentBytes = 32 * 1024 * 1024
