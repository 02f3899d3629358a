import { Button, Textarea } from '@mantine/core'
import type { TextNode } from '@parley/foundation/forms'
import { useState, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import { showProblem } from '../../parts/problem.tsx'
import { useForm } from '../form-context.ts'
import { defaultHint } from './default-hint.ts'
import { useTies } from './field-ids.ts'
import { pickFile, readAs } from './pick-file.ts'

/** More than this is told by its length: nobody reads it, and drawing it is slow. */
const maxShown = 4000

/** Bytes as text: a file to choose, or the text itself. */
export function FileField(props: {
  readonly node: TextNode
  readonly form: 'base64' | 'data-url'
  readonly onText: (text: string) => void
}): ReactElement {
  const { node, form, onText } = props
  const { readOnly } = useForm()
  const ties = useTies(node)
  const [name, setName] = useState<string>()
  const value = node.value ?? ''

  async function choose() {
    try {
      const file = await pickFile(node.mediaType)
      if (file === undefined) return
      onText(await readAs(file, form))
      setName(file.name)
    } catch (error) {
      showProblem(error, 'The file could not be read')
    }
  }

  return (
    <div className="stack-tight">
      {value.length <= maxShown && (
        <Textarea
          {...ties}
          value={value}
          readOnly={readOnly || node.readOnly}
          error={ties['aria-invalid'] === true}
          placeholder={defaultHint(node) || form}
          autosize
          minRows={1}
          maxRows={6}
          spellCheck={false}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      )}
      <div className="row wrap-row">
        {!readOnly && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="file" size={13} />}
            aria-label={`Choose a file for ${node.label}`}
            onClick={() => void choose()}
          >
            Choose a file
          </Button>
        )}
        {value !== '' && (
          <span className="quiet cut">
            {name === undefined ? '' : `${name}: `}
            {value.length.toLocaleString('en')} characters of {form}
          </span>
        )}
        {value.length > maxShown && !readOnly && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onText('')}>
            Clear
          </Button>
        )}
      </div>
    </div>
  )
}
