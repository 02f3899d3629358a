/** What a script has returned as a list; an empty one if it has returned nothing. */
export function listReply(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}
