import { Button } from '@mantine/core'
import { CappedText, showProblem } from '@parley/page/parts'
import { useState, type KeyboardEvent, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { visible } from '../visible.ts'
import { CompletedField } from './completed-field.tsx'
import type { Suggestion } from './suggestions.ts'

/** A resource template: its gaps are filled, then the resource is attached. */
export function TemplateSheet({
  suggestion,
  onPick,
  onClose,
}: {
  readonly suggestion: Extract<Suggestion, { kind: 'template' }>
  readonly onPick: (resource: { uri: string; name: string }) => void
  readonly onClose: () => void
}): ReactElement {
  const { server, template, label } = suggestion
  const [values, setValues] = useState<{ readonly [name: string]: string }>({})

  async function attach() {
    try {
      const { uri } = await channel.ask('templates/expand', {
        template: template.uriTemplate,
        values,
      })
      onPick({ uri, name: uri })
    } catch (error) {
      showProblem(error, 'Not attached')
    }
  }

  return (
    <section
      className="sheet composer-sheet"
      aria-label={`Resource template ${visible(label)}`}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <h2 className="sheet-title">{visible(label)}</h2>
      <code className="code-inline wrap">{visible(template.uriTemplate)}</code>
      {template.description !== undefined && (
        <CappedText text={visible(template.description)} className="quiet" />
      )}
      <div className="sheet-body">
        {gapsOf(template.uriTemplate).map((name) => (
          <CompletedField
            key={name}
            server={server}
            reference={{ type: 'ref/resource', uri: template.uriTemplate }}
            name={name}
            label={visible(name)}
            values={values}
            onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
          />
        ))}
      </div>
      <div className="sheet-buttons">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => void attach()}>Attach</Button>
      </div>
    </section>
  )
}

/** The names of the gaps, each once, in order. */
function gapsOf(template: string): readonly string[] {
  const names = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((part) => part.replace(/(?:\*|:\d+)$/, '').trim()),
  )
  return [...new Set(names)]
}
