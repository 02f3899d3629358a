import { CloseButton } from '@mantine/core'
import { Icon, type IconName } from '@parley/page/icons'
import { formatBytes } from '@parley/page/parts'
import type { ReactElement, ReactNode } from 'react'

import { shareOfWindow } from '../../src/core/rank-resources.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { changeDraft, useDraft } from './draft.ts'

/** What goes along with the text, each with a way to take it out. */
export function Chips(): ReactElement | null {
  const { images, resources, prompts } = useDraft()
  const windowTokens = useStore((store) => store.meter.windowTokens)
  if (images.length + resources.length + prompts.length === 0) return null
  return (
    <ul className="chips" aria-label="Goes along">
      {prompts.map((prompt, at) => (
        <Chip
          // The same prompt may come twice.
          key={`prompt-${at}`}
          icon="message"
          name={prompt.name}
          onRemove={() =>
            changeDraft({ prompts: prompts.filter((candidate) => candidate !== prompt) })
          }
        />
      ))}
      {resources.map((resource) => {
        const share = shareOfWindow(resource, windowTokens)
        const isLarge = share !== undefined && share > 0.1
        return (
          <Chip
            key={`${resource.server} ${resource.uri}`}
            icon="file"
            name={resource.name}
            isWarned={isLarge}
            onRemove={() =>
              changeDraft({ resources: resources.filter((candidate) => candidate !== resource) })
            }
          >
            {resource.size !== undefined && ` ${formatBytes(resource.size)}`}
            {isLarge && `, about ${Math.round(share * 100)} % of what the model can read`}
            {resource.isSuggested === true && ', attached since its server calls it important'}
          </Chip>
        )
      })}
      {images.map((image, at) => (
        <Chip
          key={`image-${at}`}
          icon="image"
          name={image.name}
          onRemove={() =>
            changeDraft({ images: images.filter((candidate) => candidate !== image) })
          }
        >
          <img
            className="chip-picture"
            alt=""
            src={`data:${image.mimeType};base64,${image.data}`}
          />
        </Chip>
      ))}
    </ul>
  )
}

function Chip(props: {
  readonly icon: IconName
  readonly name: string
  readonly isWarned?: boolean
  readonly onRemove: () => void
  readonly children?: ReactNode
}): ReactElement {
  const { icon, name, isWarned = false, onRemove, children } = props
  return (
    <li className="chip" data-tone={isWarned ? 'warning' : 'plain'}>
      <Icon name={icon} size={13} /> <span className="cut">{visible(name)}</span>
      <span className="quiet">{children}</span>
      <CloseButton size="xs" aria-label={`Take ${visible(name)} out`} onClick={onRemove} />
    </li>
  )
}
