import { Button, Group } from '@mantine/core'
import { useEffect, useState, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import { formatBytes } from '../duration.ts'
import { Tag } from '../tag.tsx'
import { decodeBase64, hexRows } from './base64.ts'
import { CappedText } from './capped-text.tsx'
import { saveFile } from './save-file.ts'

const imageTypes = /^image\/(png|jpe?g|gif|webp|avif|bmp|svg\+xml)$/
const audioTypes = /^audio\/[\w.+-]+$/
const hexLimit = 4096

export interface MediaProps {
  /** base64, as it came. */
  readonly data: string
  readonly mimeType: string
  readonly name: string
}

/** Bytes from a server: a picture or a sound where the browser knows the type, else a hex view. Loads nothing. */
export function Media({ data, mimeType, name }: MediaProps): ReactElement {
  const [url, setUrl] = useState<string>()
  const [showsHex, setShowsHex] = useState(false)
  const bytes = decodeBase64(data)
  const kind = imageTypes.test(mimeType) ? 'image' : audioTypes.test(mimeType) ? 'audio' : 'other'

  useEffect(() => {
    const content = kind === 'other' ? undefined : decodeBase64(data)
    if (content === undefined) return undefined
    // As a picture, never as a document: scripts in an SVG do not run in an <img>.
    const made = URL.createObjectURL(new Blob([content], { type: mimeType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data, mimeType, kind])

  if (bytes === undefined) return <CappedText text={`Not base64: ${data.slice(0, 200)}`} />
  const isHex = showsHex || kind === 'other'
  return (
    <div className="media">
      <Group gap={8}>
        <Tag>{mimeType || 'no type'}</Tag>
        <span className="quiet">{formatBytes(bytes.length)}</span>
        <span className="grow" />
        {kind !== 'other' && (
          <Button variant="subtle" size="compact-xs" onClick={() => setShowsHex(!showsHex)}>
            {showsHex ? 'Show it' : 'Show bytes'}
          </Button>
        )}
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<Icon name="download" size={13} />}
          onClick={() => saveFile(name, bytes, 'application/octet-stream')}
        >
          Save
        </Button>
      </Group>
      {isHex && <CappedText className="hex" text={hexRows(bytes, hexLimit)} limit={20_000} />}
      {isHex && bytes.length > hexLimit && (
        <span className="quiet">The first {formatBytes(hexLimit)}; save it to see all.</span>
      )}
      {!isHex && kind === 'image' && url !== undefined && (
        <div className="picture">
          <img src={url} alt={`${name}, ${mimeType}`} />
        </div>
      )}
      {!isHex && kind === 'audio' && url !== undefined && (
        // What a server sends has no captions.
        <audio controls src={url} aria-label={name} />
      )}
    </div>
  )
}
