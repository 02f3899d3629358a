import { textOf } from '@parley/page/json'
import { Empty, ListPanel, PickList, ProblemNote, problemOf } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { Problem, ServerView, SkillView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { isConnected, hasSkills } from '../lists.ts'
import { NotConnected } from '../parts/list-frame.tsx'
import { pick, usePicked } from '../view.ts'
import { SkillDetail } from './skill-detail.tsx'

/** The skills of a server: what each is for, its files, and whether they are what was listed. */
export function SkillsPanel({ server }: { readonly server: ServerView }): ReactElement {
  const { name } = server
  const picked = usePicked(name, 'skills')
  const { skills, problem, load } = useSkills(server)
  if (!isConnected(server)) return <NotConnected server={server} icon="spark" />
  if (!hasSkills(server)) {
    return (
      <Empty icon="spark" title="This server offers no skills">
        It did not declare the extension io.modelcontextprotocol/skills.
      </Empty>
    )
  }
  if (problem) {
    return (
      <div className="pad">
        <ProblemNote problem={problem} title="The skills could not be listed" retry={load} />
      </div>
    )
  }
  const skill = skills.find(({ uri }) => uri === picked)
  const list = (
    <PickList
      label="Skills"
      items={skills.map((item) => ({
        id: item.uri,
        text: textIn(item),
        node: <SkillRow skill={item} />,
      }))}
      picked={picked}
      onPick={(uri) => pick(name, 'skills', uri)}
      rowHeight={54}
      empty={<p className="quiet pad">The server lists no skills.</p>}
    />
  )
  const detail = skill ? (
    <SkillDetail key={skill.uri} server={server} skill={skill} />
  ) : (
    <Empty icon="spark" title="Pick a skill">
      Its instructions and files are shown here, each checked against its digest.
    </Empty>
  )
  return (
    <ListPanel
      kind="skills"
      list={{ id: 'skill-list', label: 'List of skills', size: '30%', least: 200, node: list }}
      details={[{ id: 'skill-view', label: 'Skill', size: '70%', least: 300, node: detail }]}
      isPicked={skill !== undefined}
      onBack={() => pick(name, 'skills', undefined)}
    />
  )
}

function useSkills(server: ServerView) {
  const [skills, setSkills] = useState<readonly SkillView[]>([])
  const [problem, setProblem] = useState<Problem>()
  const { name } = server
  const isReady = isConnected(server) && hasSkills(server)
  const load = () => {
    setProblem(undefined)
    openChannel()
      .ask('skills/list', { server: name })
      .then(setSkills, (error: unknown) => setProblem(problemOf(error)))
  }
  useEffect(() => {
    if (isReady) load()
    // When it becomes ready, and for another server.
  }, [name, isReady])
  return { skills, problem, load }
}

function SkillRow({ skill }: { readonly skill: SkillView }) {
  const { name, description } = skill.frontmatter
  return (
    <>
      <span className="pick-row-title">
        <span className="grow cut">{textOf(name) ?? skill.uri}</span>
      </span>
      <span className="pick-row-text cut">{textOf(description) ?? 'No description'}</span>
    </>
  )
}

function textIn({ uri, frontmatter }: SkillView): string {
  return [uri, textOf(frontmatter['name']), textOf(frontmatter['description'])].join(' ')
}
