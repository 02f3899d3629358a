import { Button } from '@mantine/core'
import { isJsonObject } from '@parley/mcp/json'
import type { ReactElement, ReactNode } from 'react'

import { JsonTree } from '../form/code/json-tree.tsx'
import { Icon } from '../icons.tsx'
import { listOf, recordOf, textOf } from '../json.ts'
import { Tag } from '../parts/tag.tsx'
import { CopyText } from '../parts/text/copy-text.tsx'
import { Media } from '../parts/text/media.tsx'
import { RichText } from '../parts/text/rich-text.tsx'
import { SafeLink } from '../parts/text/safe-link.tsx'
import { TextView } from './text-view.tsx'

import './content.css'

/** What can be done with a link to a resource; a button for each that is there. */
export interface ResourceActions {
  readonly onOpen?: ((uri: string) => void) | undefined
  readonly onSubscribe?: ((uri: string) => void) | undefined
  /** Puts it into what is being written. */
  readonly onAttach?: ((uri: string) => void) | undefined
}

export interface ContentBlockProps {
  readonly block: unknown
  readonly resources?: ResourceActions | undefined
}

/** One block of content, as data: text, picture, sound, link, or a resource inside. */
export function ContentBlock({ block, resources = {} }: ContentBlockProps): ReactElement {
  const { type, annotations, ...rest } = recordOf(block)
  switch (type) {
    case 'text':
      return (
        <Frame name="Text" annotations={annotations} copy={textOf(rest['text'])}>
          <TextView text={textOf(rest['text']) ?? ''} />
        </Frame>
      )
    case 'image':
    case 'audio':
      return (
        <Frame name={type === 'image' ? 'Image' : 'Audio'} annotations={annotations}>
          <Media
            data={textOf(rest['data']) ?? ''}
            mimeType={textOf(rest['mimeType']) ?? ''}
            name={type}
          />
        </Frame>
      )
    case 'resource_link':
      return (
        <Frame name="Resource link" annotations={annotations}>
          <ResourceLink link={rest} {...resources} />
        </Frame>
      )
    case 'resource':
      return (
        <Frame name="Embedded resource" annotations={annotations}>
          <ResourceContents contents={recordOf(rest['resource'])} />
        </Frame>
      )
    default:
      return (
        <Frame
          name={`Unknown content${typeof type === 'string' ? `: ${type}` : ''}`}
          annotations={annotations}
        >
          <JsonTree value={block} label="Content" />
        </Frame>
      )
  }
}

/** The contents of a resource: text, JSON, or bytes. */
export function ResourceContents({
  contents,
}: {
  readonly contents: { readonly [name: string]: unknown }
}): ReactElement {
  const uri = textOf(contents['uri']) ?? ''
  const mimeType = textOf(contents['mimeType'])
  const text = textOf(contents['text'])
  const blob = textOf(contents['blob'])
  return (
    <div className="stack-tight">
      <div className="row wrap-row">
        <SafeLink url={uri} />
        {mimeType !== undefined && blob === undefined && <Tag>{mimeType}</Tag>}
      </div>
      {text !== undefined && <TextView text={text} mimeType={mimeType} address={uri} />}
      {blob !== undefined && (
        <Media data={blob} mimeType={mimeType ?? ''} name={uri.split('/').at(-1) || 'resource'} />
      )}
    </div>
  )
}

function ResourceLink({
  link,
  onOpen,
  onSubscribe,
  onAttach,
}: ResourceActions & { readonly link: { readonly [name: string]: unknown } }) {
  const uri = textOf(link['uri']) ?? ''
  return (
    <div className="stack-tight">
      <div className="row wrap-row">
        <strong>{textOf(link['title']) ?? textOf(link['name'])}</strong>
        {textOf(link['mimeType']) !== undefined && <Tag>{textOf(link['mimeType'])}</Tag>}
      </div>
      {textOf(link['description']) !== undefined && (
        <RichText text={textOf(link['description']) ?? ''} limit={500} className="prose" />
      )}
      <SafeLink url={uri} />
      <div className="row">
        {onOpen && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="file" size={14} />}
            onClick={() => onOpen(uri)}
          >
            Open
          </Button>
        )}
        {onSubscribe && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="bell" size={14} />}
            onClick={() => onSubscribe(uri)}
          >
            Subscribe
          </Button>
        )}
        {onAttach && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => onAttach(uri)}
          >
            Attach to your message
          </Button>
        )}
      </div>
    </div>
  )
}

function Frame({
  name,
  annotations,
  copy,
  children,
}: {
  readonly name: string
  readonly annotations: unknown
  readonly copy?: string | undefined
  readonly children: ReactNode
}) {
  const { audience, priority } = recordOf(annotations)
  return (
    <div className="block">
      <div className="block-head">
        <span>{name}</span>
        {isJsonObject(annotations) &&
          listOf(audience).map((reader) => (
            <Tag key={String(reader)} icon="eye">
              for {String(reader)}
            </Tag>
          ))}
        {typeof priority === 'number' && <Tag>priority {priority}</Tag>}
        <span className="grow" />
        {copy !== undefined && <CopyText text={copy} label="Copy the text" />}
      </div>
      <div className="block-body">{children}</div>
    </div>
  )
}
