import { endOf, initializedNotification, post } from './http-request.mjs'
import { headerOf, messageIn } from './http-response.mjs'
import { initializeRequest } from './initialize-request.mjs'

/** What the load generator does on one connection. Everything rejects on a wrong answer. */
export function createHttpClient(connection, port) {
  let sessionId

  async function exchange(text, isExpected) {
    const response = await connection.request(text)
    if (!isExpected(response)) throw wrongAnswer(response)
    return response
  }

  /** Opens a session, which the requests after it belong to. */
  async function open() {
    sessionId = undefined
    const { head } = await exchange(
      post(port, initializeRequest(1)),
      (response) => response.status === 200 && messageIn(response).result !== undefined,
    )
    sessionId = headerOf(head, 'mcp-session-id')
    if (sessionId === undefined) throw new Error('no session id')
    await exchange(post(port, initializedNotification, sessionId), ({ status }) => status === 202)
  }

  return {
    open,
    end: () => exchange(endOf(port, sessionId), ({ status }) => status === 200 || status === 204),
    /** Calls back with nothing, or with what went wrong. */
    send({ request, check }, id, onDone) {
      connection.send(
        post(port, request(id), sessionId),
        (response) => onDone(isRight(response, id, check) ? undefined : wrongAnswer(response)),
        onDone,
      )
    },
  }
}

function isRight(response, id, check) {
  if (response.status !== 200) return false
  const message = messageIn(response)
  return message.id === id && check(message.result)
}

function wrongAnswer({ head, body }) {
  return new Error(`wrong answer: ${head.split('\r\n', 1)[0]} ${body.slice(0, 300)}`)
}
