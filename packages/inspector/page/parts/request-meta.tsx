import { Textarea } from '@mantine/core'
import { isJsonObject } from '@parley/mcp/json'
import { useState, type ReactElement } from 'react'
import { create } from 'zustand'

/** What is sent as `_meta` with requests to a server, as text; kept until the page is closed. */
const useMetaTexts = create<{ readonly [server: string]: string | undefined }>(() => ({}))

/** The `_meta` to send to a server, as a member of params; nothing where none was written. */
export function metaFor(server: string): { readonly _meta?: { readonly [name: string]: unknown } } {
  const _meta = readMeta(useMetaTexts.getState()[server] ?? '')
  return _meta === undefined || _meta === 'unreadable' ? {} : { _meta }
}

/** A field for the `_meta` of calls, reads and prompts: ids of traces, and what servers have agreed on with hosts. */
export function RequestMeta({ server }: { readonly server: string }): ReactElement {
  const text = useMetaTexts((texts) => texts[server]) ?? ''
  const [isOpen, setIsOpen] = useState(text !== '')
  const isUnreadable = readMeta(text) === 'unreadable'
  return (
    <details
      className="request-meta"
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        Request <code>_meta</code>
        {text.trim() !== '' && <span className="quiet"> (set)</span>}
      </summary>
      <div {...(isUnreadable && { 'data-unreadable': true })}>
        <Textarea
          aria-label="_meta as JSON"
          description={`Sent with every call, read and prompt to ${server}.`}
          placeholder={'{ "example.com/tenant": "a" }'}
          autosize
          minRows={2}
          maxRows={10}
          value={text}
          error={isUnreadable ? 'Write a JSON object, such as { "key": "value" }.' : undefined}
          onChange={(event) => useMetaTexts.setState({ [server]: event.currentTarget.value })}
          styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12 } }}
        />
      </div>
    </details>
  )
}

function readMeta(text: string): { readonly [name: string]: unknown } | undefined | 'unreadable' {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : 'unreadable'
  } catch {
    return 'unreadable'
  }
}
