import { readableJson } from '../api/answer.ts'
import type { Operation } from '../api/operation.ts'
import { Problem } from '../api/problem.ts'

/** What the registry has, signed. */
export const indexOperation: Operation = {
  method: 'GET',
  path: 'x/index',
  summary: 'Names, versions and hashes of everything, signed: copies can be verified with it',
  effort: 'read',
  isWriting: false,
  async run({ request, isPublic }, { readIndex }) {
    if (readIndex === undefined) {
      throw new Problem(501, 'This registry does not sign an index.')
    }
    return readableJson(request, await readIndex(), isPublic)
  },
}
