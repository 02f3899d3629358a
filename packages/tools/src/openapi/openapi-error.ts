/** A document or an option that cannot be used: says where, why, and what to write instead. */
export class OpenApiError extends Error {
  /** Always `OpenApiError`. */
  override readonly name = 'OpenApiError'
}
