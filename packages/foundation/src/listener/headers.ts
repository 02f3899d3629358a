/** With every answer: nothing from elsewhere, nothing inline that runs, no frame around us, and none inside. */
export const guardHeaders: { readonly [name: string]: string } = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
}

/**
 * For pages that show a sandbox, at another port of the same name. What is in the sandbox comes from strangers, who need not
 * agree to be embedded: so nobody is asked to, and the page asks for a process of its own by its origin.
 */
export function framingHeaders(sandbox: string): { readonly [name: string]: string } {
  const { 'content-security-policy': policy = '' } = guardHeaders
  return {
    'content-security-policy': policy.replace("frame-src 'none'", `frame-src ${sandbox}`),
    'cross-origin-embedder-policy': 'unsafe-none',
    'origin-agent-cluster': '?1',
  }
}
