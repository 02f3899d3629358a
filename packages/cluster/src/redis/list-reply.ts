/** Returns the list of a script's reply; an empty one for an empty reply. */
export function listReply(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}
