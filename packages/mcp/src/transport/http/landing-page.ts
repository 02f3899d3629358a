import type { HttpExchange } from './runtime/exchange.ts'

/** True for somebody who opened the address in a browser. Clients of MCP ask for JSON or events. */
export function wantsPage(exchange: HttpExchange): boolean {
  if (exchange.method !== 'GET' || exchange.header('mcp-session-id') !== undefined) return false
  const accept = exchange.header('accept') ?? ''
  return accept.includes('text/html') && !accept.includes('text/event-stream')
}

/**
 * Says what this is and what to do with it. Nothing in it comes from the request, and of the server only what everybody
 * may know.
 */
export function servePage(
  exchange: HttpExchange,
  { status, name, address }: { status: number; name?: string | undefined; address: string },
): void {
  const title = escapeHtml(name ?? 'MCP server')
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body>
<h1>${title}</h1>
<p>This is a server for AI applications. It speaks the <a href="https://modelcontextprotocol.io">Model Context Protocol</a> and has no pages for people.</p>
<p>To use it, add this address to your application as a remote MCP server:</p>
<pre>${escapeHtml(address)}</pre>
</body>
</html>
`
  exchange.respond(status, headers, body)
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store', // the same address has other answers for others
  vary: 'accept',
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
