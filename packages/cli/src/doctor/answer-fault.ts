import { isJsonObject } from '@parley/mcp/json'

import { excerpt, type JsonObject } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'

/** What is wrong with an answer that no client can use, and what to do. */
export interface ReplyProblem {
  readonly seen: string
  readonly fix: string
}

/** Looks at the first answer as a client does; undefined if it can be used. */
export function replyProblem({ answer = {}, http }: Exchange): ReplyProblem | undefined {
  return (
    envelopeProblem(answer) ??
    sessionProblem(http?.header('mcp-session-id')) ??
    resultProblem(answer['result'])
  )
}

function envelopeProblem({ jsonrpc, id }: JsonObject): ReplyProblem | undefined {
  if (jsonrpc !== '2.0') {
    return {
      seen: `its jsonrpc is ${excerpt(JSON.stringify(jsonrpc), 40)}`,
      fix: 'Every message needs "jsonrpc": "2.0" [BASE-04].',
    }
  }
  if (id === 1 || id === null || id === undefined) return undefined
  return {
    seen: `the request had the id 1, the answer has ${excerpt(JSON.stringify(id), 40)}`,
    fix: 'Return the id unchanged, a number as a number [BASE-09].',
  }
}

function sessionProblem(session: string | undefined): ReplyProblem | undefined {
  if (session === undefined || /^[\x21-\x7e]+$/.test(session)) return undefined
  return {
    seen: `its Mcp-Session-Id is ${excerpt(session, 60)}`,
    fix: 'Use visible ASCII letters only, without spaces [HSESS-03].',
  }
}

/** What `initialize` brings; the answer to `server/discover` has nothing that can be missed so early. */
function resultProblem(result: unknown): ReplyProblem | undefined {
  if (!isJsonObject(result) || result['protocolVersion'] === undefined) return undefined
  const { serverInfo, capabilities } = result
  const isNamed =
    isJsonObject(serverInfo) &&
    typeof serverInfo['name'] === 'string' &&
    typeof serverInfo['version'] === 'string'
  if (!isNamed) {
    return {
      seen: `its serverInfo is ${excerpt(serverInfo, 80)}`,
      fix: 'Send serverInfo with name and version [LIFE-03].',
    }
  }
  if (isJsonObject(capabilities)) return undefined
  return {
    seen: `its capabilities are ${excerpt(capabilities, 80)}`,
    fix: 'Send capabilities, {} if there are none [LIFE-03].',
  }
}
