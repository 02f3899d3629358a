import { TextView } from '@parley/page/content'
import { JsonTree } from '@parley/page/form'
import { textOf } from '@parley/page/json'
import { formatBytes, Media, ProblemNote, problemOf, RichText, Tag } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { Methods, ServerView, SkillView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'

import '../tools/tools.css'
import './skills.css'

export interface SkillDetailProps {
  readonly server: ServerView
  readonly skill: SkillView
}

/** A skill: what it says of itself, its files, and the one that is open. */
export function SkillDetail({ server, skill }: SkillDetailProps): ReactElement {
  const [file, setFile] = useState(skill.uri)
  const { name, description, ...rest } = skill.frontmatter
  const root = skill.uri.replace(/SKILL\.md$/, '')
  return (
    <>
      <div className="column-head">
        <h2 className="resource-name cut grow">{textOf(name) ?? skill.uri}</h2>
      </div>
      <div className="column-scroll">
        <code className="mono wrap">{skill.uri}</code>
        {textOf(description) !== undefined && (
          <RichText text={textOf(description) ?? ''} limit={1000} className="prose" />
        )}
        {Object.keys(rest).length > 0 && <JsonTree value={rest} label="More of the frontmatter" />}
        <section className="card" aria-label="Files of the skill">
          <div className="card-head">
            <h3>Files</h3>
            {skill.files !== 'dynamic' && <span className="count">{skill.files.length}</span>}
          </div>
          {skill.files === 'dynamic' ? (
            <p className="card-body quiet">
              Its contents are generated on request, so they cannot be checked.
            </p>
          ) : (
            <ul className="skill-files">
              {skill.files.map(({ uri, size, digest }) => (
                <li key={uri}>
                  <button
                    type="button"
                    className="link-button grow cut"
                    aria-current={uri === file ? 'true' : undefined}
                    onClick={() => setFile(uri)}
                  >
                    {uri.startsWith(root) ? uri.slice(root.length) : uri}
                  </button>
                  <span className="quiet">{formatBytes(size)}</span>
                  <code className="mono quiet" title={digest}>
                    {digest.slice(0, 15)}…
                  </code>
                </li>
              ))}
            </ul>
          )}
        </section>
        <SkillFile key={file} server={server.name} skill={skill.uri} file={file} />
      </div>
    </>
  )
}

type Contents = Methods['skills/read']['result']

function SkillFile(props: {
  readonly server: string
  readonly skill: string
  readonly file: string
}): ReactElement {
  const { server, skill, file } = props
  const [contents, setContents] = useState<Contents>()
  const [error, setError] = useState<unknown>()

  useEffect(() => {
    openChannel().ask('skills/read', { server, skill, file }).then(setContents, setError)
  }, [server, skill, file])

  if (error !== undefined) {
    return <ProblemNote problem={problemOf(error)} title="This file differs from the listing" />
  }
  if (contents === undefined) return <p className="quiet">Reading {file}…</p>
  const name = file.split('/').at(-1) ?? 'file'
  return (
    <div className="block">
      <div className="block-head">
        <span className="grow cut">{name}</span>
        {contents.isChecked ? (
          <Tag tone="good" icon="check" title="Its size and SHA-256 are those the server listed.">
            digest matches
          </Tag>
        ) : (
          <Tag tone="warning">not checked</Tag>
        )}
      </div>
      <div className="block-body">
        {contents.text !== undefined && <TextView text={contents.text} address={file} />}
        {contents.blob !== undefined && <Media data={contents.blob} mimeType="" name={name} />}
      </div>
    </div>
  )
}
