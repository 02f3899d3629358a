/** A document or an option that cannot be used: says where, why, and what to write instead. */
export class OpenApiError extends Error {
  override readonly name = 'OpenApiError'
}
