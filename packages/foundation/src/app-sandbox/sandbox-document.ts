/**
 * The document between a page and an app. It has an origin of its own, shows the app in a frame that has none, and passes
 * on what both say: nothing but JSON-RPC, from nobody else, bounded in size and number.
 */
export function sandboxDocument(host: string): string {
  return `<!doctype html>
<html lang="en" data-host="${host}">
<meta charset="utf-8">
<title>App</title>
<style>
  html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden; background: transparent }
</style>
<body>
<script>${script}</script>
`
}

/** How much an app may say. What it says beyond that ends it. */
export const appLimits = {
  /** One message, in characters of JSON; a longer one is refused. */
  messageCharacters: 1024 * 1024,
  /** Messages at once, and for each second. */
  burst: 300,
  perSecond: 50,
  /** Characters at once, and for each second. */
  burstCharacters: 8 * 1024 * 1024,
  charactersPerSecond: 1024 * 1024,
} as const

const script = `
(() => {
  'use strict'
  const limits = ${JSON.stringify(appLimits)}
  const host = document.documentElement.dataset.host
  const reserved = 'ui/notifications/sandbox-'
  let view
  let loads = 0
  let isOver = false
  let messages = limits.burst
  let characters = limits.burstCharacters
  let filledAt = performance.now()

  const toHost = (message) => parent.postMessage(message, host)
  const tellHost = (name, params) => toHost({ jsonrpc: '2.0', method: reserved + name, params })

  function stop(reason) {
    if (isOver) return
    isOver = true
    view?.remove()
    tellHost('stopped', { reason })
  }

  function show({ html }) {
    if (view !== undefined || typeof html !== 'string') return
    view = document.createElement('iframe')
    view.title = 'App'
    view.setAttribute('sandbox', 'allow-scripts allow-forms')
    view.referrerPolicy = 'no-referrer'
    view.addEventListener('load', () => {
      loads += 1
      if (loads > 1) stop('it tried to leave its page')
    })
    view.srcdoc = html
    document.body.append(view)
  }

  function fromHost(message) {
    if (typeof message !== 'object' || message === null) return
    const { method } = message
    if (method === reserved + 'resource-ready') return show(message.params ?? {})
    if (typeof method === 'string' && method.startsWith(reserved)) return
    view?.contentWindow?.postMessage(message, '*')
  }

  /** Fills steadily; each message takes one, and its characters. */
  function take(size) {
    const now = performance.now()
    const seconds = (now - filledAt) / 1000
    filledAt = now
    messages = Math.min(limits.burst, messages + seconds * limits.perSecond) - 1
    characters = Math.min(limits.burstCharacters, characters + seconds * limits.charactersPerSecond) - size
    if (messages < 0) stop('it sent too many messages')
    else if (characters < 0) stop('it sent too much')
    return !isOver
  }

  function fromView(message) {
    let text
    try {
      text = JSON.stringify(message)
    } catch {
      text = undefined
    }
    if (!take(text?.length ?? 0) || text === undefined) return
    const plain = JSON.parse(text)
    if (typeof plain !== 'object' || plain === null || plain.jsonrpc !== '2.0') return
    const { id, method } = plain
    if (text.length > limits.messageCharacters) {
      if (id === undefined) return
      const why = 'the message has ' + text.length + ' characters, of ' + limits.messageCharacters
      view.contentWindow.postMessage({ jsonrpc: '2.0', id, error: { code: -32600, message: why } }, '*')
      return
    }
    if (typeof method === 'string' && method.startsWith(reserved)) return
    toHost(plain)
  }

  addEventListener('message', ({ source, origin, data }) => {
    if (isOver) return
    if (source === parent && origin === host) fromHost(data)
    else if (view !== undefined && source === view.contentWindow) fromView(data)
  })
  tellHost('proxy-ready', {})
})()
`
