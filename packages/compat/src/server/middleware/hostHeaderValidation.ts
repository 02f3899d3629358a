import type { RequestHandler } from 'express'

/** Returns a middleware of Express that lets only these hosts through, on any port. IPv6 addresses have brackets. */
export function hostHeaderValidation(allowedHostnames: string[]): RequestHandler {
  return (request, response, next) => {
    const reject = (message: string): void => {
      response.status(403).json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })
    }
    const { host } = request.headers
    if (!host) {
      reject('Missing Host header')
      return
    }
    let hostname: string
    try {
      ;({ hostname } = new URL(`http://${host}`))
    } catch {
      reject(`Invalid Host header: ${host}`)
      return
    }
    if (!allowedHostnames.includes(hostname)) {
      reject(`Invalid Host: ${hostname}`)
      return
    }
    next()
  }
}

/** Returns a middleware of Express that lets only this machine's names through. */
export function localhostHostValidation(): RequestHandler {
  return hostHeaderValidation(['localhost', '127.0.0.1', '[::1]'])
}
