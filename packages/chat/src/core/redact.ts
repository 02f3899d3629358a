/** Text in which what looks like a secret is replaced, and how much of it there was. */
export interface Redacted {
  readonly text: string
  readonly count: number
}

/** Keys of well-known services, tokens, private keys, and values behind names such as `password`. Each takes time in proportion to the text. */
const secrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8192}?-----END [A-Z ]{0,30}PRIVATE KEY-----/g,
  /\bsk-[A-Za-z0-9_-]{16,200}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,255}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,255}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,200}/g,
  /\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}/g,
  /(?<=\bBearer )[A-Za-z0-9._~+/-]{12,2000}=*/gi,
  /(?<=\b(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?token|token)["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"',;]{4,500}/gi,
]

/** Replaces what looks like a secret. */
export function redactSecrets(text: string): Redacted {
  let count = 0
  let clean = text
  for (const pattern of secrets) {
    clean = clean.replaceAll(pattern, (found) => {
      if (found === mark) return found
      count += 1
      return mark
    })
  }
  return { text: clean, count }
}

const mark = '[redacted]'
