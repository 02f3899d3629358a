import { Button, CopyButton } from '@mantine/core'
import { highlight } from '@parley/foundation/highlight'
import { useMemo, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'

import './markdown.css'

/** What readers call a language; others are shown as they are written. */
const names: Readonly<Record<string, string>> = {
  bash: 'Shell',
  console: 'Shell',
  css: 'CSS',
  html: 'HTML',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsonc: 'JSON',
  jsx: 'JavaScript',
  py: 'Python',
  python: 'Python',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  typescript: 'TypeScript',
  yaml: 'YAML',
  yml: 'YAML',
}
/** A browser becomes slow with more coloured pieces in one place. */
const maxColoured = 50_000

/** Code with its language, a button that copies it, and colours. Lines are not wrapped. */
export function CodeBlock({
  text,
  language,
}: {
  readonly text: string
  readonly language: string
}): ReactElement {
  const name = names[language.toLowerCase()] ?? language.slice(0, 40)
  const code = text.replace(/\n$/, '')
  const pieces = useMemo(
    () =>
      code.length > maxColoured
        ? [{ text: code, kind: 'plain' as const }]
        : highlight(code, language),
    [code, language],
  )
  return (
    <div className="code">
      <div className="code-head">
        <span className="grow cut">{name}</span>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button
              variant="subtle"
              size="compact-xs"
              className="plain-button"
              leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
      <pre tabIndex={0} role="region" aria-label={name === '' ? 'Code' : `Code: ${name}`}>
        <code>
          {pieces.map(({ text: piece, kind }, at) =>
            // Pieces have no identity but their place.
            kind === 'plain' ? (
              piece
            ) : (
              <span key={at} className={`hl-${kind}`}>
                {piece}
              </span>
            ),
          )}
        </code>
      </pre>
    </div>
  )
}
