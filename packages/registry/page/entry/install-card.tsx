import { Button, Loader, SegmentedControl, Select } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { CopyText, ProblemNote, showHidden, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { go, useAddress } from '../address.ts'
import { useAsked } from '../ask.ts'
import type { Entry } from '../read-entry.ts'
import { Card } from './card.tsx'
import { readInstall, type InstallOption, type InstallQuestion } from './read-install.ts'

/** The products that `parley add` writes files for. */
const clients = [
  { value: 'parley', label: 'Parley' },
  { value: 'claude', label: 'Claude Code' },
  { value: 'claude-desktop', label: 'Claude Desktop' },
  { value: 'cursor', label: 'Cursor' },
  { value: 'vscode', label: 'VS Code' },
  { value: 'cline', label: 'Cline' },
  { value: 'codex', label: 'Codex' },
  { value: 'continue', label: 'Continue' },
  { value: 'copilot-cli', label: 'Copilot CLI' },
  { value: 'gemini', label: 'Gemini CLI' },
  { value: 'goose', label: 'goose' },
  { value: 'jetbrains', label: 'JetBrains Junie' },
  { value: 'lm-studio', label: 'LM Studio' },
  { value: 'opencode', label: 'opencode' },
  { value: 'windsurf', label: 'Windsurf' },
  { value: 'zed', label: 'Zed' },
] as const

/** The products that most readers use; the others are in a list. */
const tabs: readonly string[] = ['parley', 'claude', 'vscode', 'cursor', 'codex', 'gemini']

/** How to use a version: the command, and what it writes into the file of a product. */
export function InstallCard({ entry }: { readonly entry: Entry }): ReactElement {
  const picked = useAddress((address) => address.client)
  const client = clients.find(({ value }) => value === picked) ?? clients[0]
  const query = new URLSearchParams({
    name: entry.name,
    version: entry.version,
    client: client.value,
  })
  const { value: install, problem, retry } = useAsked(`x/config?${query.toString()}`, readInstall)
  return (
    <Card
      title="Install"
      action={
        <Select
          size="xs"
          placeholder="More products"
          aria-label="For which product"
          value={tabs.includes(client.value) ? null : client.value}
          data={clients.filter(({ value }) => !tabs.includes(value))}
          onChange={(value) => value !== null && go({ client: value }, 'replace')}
        />
      }
    >
      <SegmentedControl
        aria-label="Product"
        className="self-start"
        value={client.value}
        onChange={(value) => go({ client: value }, 'replace')}
        data={clients.filter(({ value }) => tabs.includes(value) || value === client.value)}
      />
      {problem !== undefined && (
        <ProblemNote problem={problem} title="The configuration cannot be shown" retry={retry} />
      )}
      {problem === undefined && install === undefined && (
        <div className="row quiet" role="status">
          <Loader size={14} /> Fetching…
        </div>
      )}
      {install?.options.length === 0 && (
        <p className="quiet">
          Nothing of this version can be started or reached from a configuration file.
        </p>
      )}
      {install?.options.map((option, index) => (
        <Option
          // Two packages may have one title.
          key={index}
          option={option}
          client={client.value}
          command={commandOf(
            entry,
            client.value,
            install.options.length > 1 ? option.title : undefined,
          )}
        />
      ))}
      {install?.refused.map(({ title, reasons }, index) => (
        <section
          // As above.
          key={index}
          className="install"
          aria-label={showHidden(title)}
        >
          <h4 className="wrap">{showHidden(title)}</h4>
          <p>Clients refuse it:</p>
          <ul>
            {reasons.map((reason) => (
              <li key={reason} className="wrap">
                {showHidden(reason)}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}

function Option(props: {
  readonly option: InstallOption
  readonly client: string
  readonly command: string
}): ReactElement {
  const { title, origin, file, questions, notes, links } = props.option
  const own = links.find(({ client }) => client === props.client)
  const label = clients.find(({ value }) => value === props.client)?.label ?? props.client
  return (
    <section className="install" aria-label={showHidden(title)}>
      <h4 className="wrap">{showHidden(title)}</h4>
      <p className="quiet wrap">Comes from {showHidden(origin)}.</p>
      {own?.kind === 'link' && (
        <Button
          component="a"
          href={own.text}
          className="self-start"
          leftSection={<Icon name="download" size={14} />}
        >
          Install in {label}
        </Button>
      )}
      {own?.kind === 'command' && own.client !== 'parley' && (
        <Snippet text={own.text} label={`Copy the command of ${label}`} />
      )}
      <Snippet text={props.command} label="Copy the command" />
      <details>
        <summary>As an entry of the configuration file</summary>
        <Snippet text={file} label="Copy the entry" />
      </details>
      {questions.length > 0 && (
        <>
          <p className="quiet">It asks for:</p>
          <ul className="inputs">
            {questions.map((question) => (
              <Question key={question.id} question={question} />
            ))}
          </ul>
        </>
      )}
      {notes.map((note) => (
        <p key={note} className="quiet wrap">
          {showHidden(note)}
        </p>
      ))}
    </section>
  )
}

function Question({ question }: { readonly question: InstallQuestion }): ReactElement {
  const { id, description, isRequired, isSecret, preset, choices } = question
  return (
    <li>
      <div className="row wrap-row">
        <code className="mono wrap">{showHidden(id)}</code>
        {isRequired && <Tag>required</Tag>}
        {isSecret && (
          <Tag tone="warning" icon="key">
            secret
          </Tag>
        )}
        {preset !== undefined && <span className="quiet wrap">default {showHidden(preset)}</span>}
        {choices.length > 0 && (
          <span className="quiet wrap">one of {choices.map(showHidden).join(', ')}</span>
        )}
      </div>
      {description !== undefined && <p className="wrap">{showHidden(description)}</p>}
    </li>
  )
}

/** Text to paste: shown and copied are the same. */
function Snippet({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const shown = showHidden(text)
  return (
    <div className="snippet">
      <pre className="text" tabIndex={0} aria-label={label.replace('Copy the', 'The')}>
        {shown}
      </pre>
      <CopyText text={shown} label={label} />
    </div>
  )
}

function commandOf({ name, version }: Entry, client: string, use: string | undefined): string {
  const words = ['parley', 'add', `${name}@${version}`]
  if (client !== 'parley') words.push('--client', client)
  if (use !== undefined) words.push('--use', use)
  return words.map(quote).join(' ')
}

/** One word for a shell of either kind, whatever is in it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
