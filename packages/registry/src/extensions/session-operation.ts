import { freshJson } from '../api/answer.ts'
import type { Operation } from '../api/operation.ts'

/** What the token of a request allows, so that a page shows its holder what they may do and nothing else. */
export const sessionOperation: Operation = {
  method: 'GET',
  path: 'x/session',
  summary: 'Whether the token of the request is known, and what it allows',
  effort: 'read',
  isWriting: false,
  async run({ request, auth }, { authority }) {
    const grant = await authority.grantOf(request, auth)
    return freshJson({
      isKnown: grant !== undefined || auth !== undefined,
      permissions: grant?.permissions ?? [],
    })
  },
}
