import type { TextPattern } from '@parley/foundation/text-safety'

/** Tokens that are known by their form. */
export const secretPatterns: readonly TextPattern[] = [
  {
    name: 'private key',
    hints: ['PRIVATE KEY-----'],
    // Up to the next line of dashes, which should be its end.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY-----)?/g,
  },
  {
    name: 'GitHub token',
    hints: ['gh', 'github_pat_'],
    pattern: /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{22,255})/g,
  },
  {
    name: 'GitLab token',
    hints: ['glpat-'],
    pattern: /(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,100}/g,
  },
  {
    name: 'AWS access key',
    hints: ['AKIA', 'ASIA'],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  },
  {
    name: 'Google API key',
    hints: ['AIza'],
    pattern: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g,
  },
  {
    name: 'Slack token',
    hints: ['xox'],
    pattern: /(?<![A-Za-z0-9_-])xox[abeoprs]-[A-Za-z0-9-]{10,250}/g,
  },
  {
    name: 'Stripe key',
    hints: ['k_live_', 'k_test_'],
    pattern: /(?<![A-Za-z0-9_])[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}/g,
  },
  {
    name: 'model provider key',
    hints: ['sk-'],
    pattern: /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9_-]{20,250}/g,
  },
  {
    name: 'npm token',
    hints: ['npm_'],
    pattern: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g,
  },
  {
    name: 'PyPI token',
    hints: ['pypi-'],
    pattern: /(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{50,250}/g,
  },
  {
    name: 'key of this gateway',
    hints: ['pgk_'],
    pattern: /(?<![A-Za-z0-9_-])pgk_[a-z0-9]{8,32}_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g,
  },
  {
    name: 'signed token',
    hints: ['eyJ'],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\.eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*/g,
  },
  {
    name: 'bearer token',
    hints: ['earer ', 'EARER '],
    pattern: /(?<![A-Za-z0-9_-])[Bb](?:earer|EARER) [A-Za-z0-9._~+/=-]{20,4000}/g,
  },
  {
    name: 'password in a URL',
    hints: ['://'],
    pattern: /:\/\/[^\s/:@]{0,100}:[^\s/@]{1,200}@/g,
  },
]
