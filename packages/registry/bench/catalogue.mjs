// A made-up catalogue of servers that looks like a real one: known servers, and any number of others around them that
// use the same words. The same count always gives the same catalogue. Used by search.mjs and by the tests of ranking.

/** Servers that people look for by these words. Name, title, description. */
export const known = [
  ['com.github/github-mcp-server', 'GitHub', 'Repositories, issues and pull requests of GitHub'],
  ['com.gitlab/mcp', 'GitLab', 'Merge requests, pipelines and issues of GitLab'],
  ['com.slack/slack-mcp', 'Slack', 'Read channels and send messages in Slack workspaces'],
  ['com.notion/mcp', 'Notion', 'Pages, databases and comments of a Notion workspace'],
  ['com.microsoft/playwright-mcp', 'Playwright', 'Drive a browser: navigate, click, fill in forms'],
  ['com.stripe/mcp', 'Stripe', 'Payments, customers and invoices'],
  ['com.figma/mcp', 'Figma', 'Read designs, components and variables'],
  ['com.linear/linear', 'Linear', 'Issues, projects and cycles'],
  ['app.sentry/sentry-mcp', 'Sentry', 'Errors and performance of applications'],
  ['com.cloudflare/workers', 'Workers', 'Deploy and inspect Workers at the edge'],
  [
    'org.reference-servers/filesystem',
    'Filesystem',
    'Read, write and search files below allowed folders',
  ],
  ['org.reference-servers/fetch', 'Fetch', 'Fetch web pages and convert them to Markdown'],
  ['org.reference-servers/memory', 'Memory', 'A knowledge graph that outlives the conversation'],
  ['org.reference-servers/git', 'Git', 'Read, search and change Git repositories'],
  [
    'org.reference-servers/sequential-thinking',
    'Sequential Thinking',
    'Think in steps that can be revised',
  ],
  ['org.dbtools/postgres', 'Postgres', 'Query and inspect databases'],
  ['org.dbtools/sqlite', 'SQLite', 'Query and inspect a database in a file'],
  ['org.dbtools/mysql', 'MySQL', 'Query and inspect databases'],
  ['com.mongodb/mongodb-mcp-server', 'MongoDB', 'Collections, documents and indexes of MongoDB'],
  ['io.redis/redis', 'Redis', 'Keys, streams and vector search of Redis'],
  ['co.elastic/elasticsearch', 'Elasticsearch', 'Search indexes and read mappings'],
  ['com.google-tools/google-drive', 'Google Drive', 'Find and read documents in a drive'],
  ['com.google-tools/google-calendar', 'Google Calendar', 'Events and free time of calendars'],
  ['com.google-tools/google-maps', 'Google Maps', 'Places, routes and distances'],
  ['com.brave/brave-search', 'Brave Search', 'Search the web, news and images'],
  ['org.weather-people/weather', 'Weather', 'Forecasts and warnings for any place'],
  ['io.kubernetes-tools/kubernetes', 'Kubernetes', 'Pods, deployments and logs of clusters'],
  ['com.docker/docker-mcp', 'Docker', 'Containers, images and volumes'],
  ['com.hashicorp/terraform', 'Terraform', 'Plan and document infrastructure'],
  ['com.atlassian/jira', 'Jira', 'Issues, boards and sprints'],
  ['com.atlassian/confluence', 'Confluence', 'Spaces and pages of a wiki'],
  ['com.grafana/grafana', 'Grafana', 'Dashboards, alerts and queries of metrics'],
  ['io.prometheus-tools/prometheus', 'Prometheus', 'Query metrics with PromQL'],
  ['com.obsidian-tools/obsidian', 'Obsidian', 'Read and write the notes of a vault'],
  ['com.spotify-tools/spotify', 'Spotify', 'Play music and manage playlists'],
  [
    'com.youtube-tools/youtube-transcript',
    'YouTube Transcript',
    'Transcripts and captions of videos',
  ],
  ['org.arxiv-tools/arxiv', 'arXiv', 'Find and read papers'],
  ['com.homeassistant/home-assistant', 'Home Assistant', 'Lights, sensors and scenes of a home'],
  ['org.pdf-tools/pdf-reader', 'PDF Reader', 'Text, tables and pictures of PDF files'],
  [
    'com.openapi-tools/openapi-bridge',
    'OpenAPI Bridge',
    'Turn any API with a description into tools',
  ],
]

const subjects =
  'GitHub,Slack,Notion,Postgres,Playwright,filesystem,files,weather,maps,email,calendar,tickets,invoices,logs,metrics,tests,deployments,containers,notes,photos,music,videos,papers,recipes,flights,hotels,trains,stocks,currencies,crypto,contacts,tasks,code,reviews,commits,branches,issues,documents,tables,queries,databases,backups,certificates,domains,secrets,browsers,screenshots,translations,summaries,chats,meetings,transcripts,podcasts,books,citations,genomes,molecules,satellites,sensors,lights,heating,cars,parcels,shops,reviews,surveys,forms,campaigns,leads,salaries,contracts,patents,laws,courts,taxes,budgets'.split(
    ',',
  )
const purposes =
  'Search and summarise,Manage,Keep track of,Analyse,Automate,Export,Import,Sync,Watch,Answer questions about,Generate,Validate,Convert,Archive,Compare,Visualise'.split(
    ',',
  )
const endings =
  'helper,assistant,bridge,tools,agent,connector,studio,hub,kit,lab,flow,pilot,desk,pro,lite'.split(
    ',',
  )
const makers = 'ada,grace,linus,barbara,edsger,alan,donald,margaret,ken,dennis,radia,niklaus'.split(
  ',',
)

/** Documents of `count` servers: the known ones spread over the whole, so that most others are newer than some of them. */
export function catalogue(count) {
  const random = randomOf(20_260_811)
  const pick = (list) => list[Math.floor(random() * list.length)]
  const step = Math.max(1, Math.floor(count / (known.length + 1)))
  return Array.from({ length: count }, (_, at) => {
    const landmark = at % step === 0 ? known[at / step] : undefined
    return landmark === undefined ? other(at, pick, random) : documentOf(...landmark)
  })
}

function other(at, pick, random) {
  const [one, two, three] = [pick(subjects), pick(subjects), pick(subjects)]
  const ending = pick(endings)
  const maker = `${pick(makers)}${Math.floor(random() * 9_000)}`
  const own = `${one}-${ending}${random() < 0.3 ? '-mcp' : ''}-${at}`.toLowerCase()
  const name = random() < 0.8 ? `io.github.${maker}/${own}` : `com.${maker}/${own}`
  const about = `${pick(purposes)} ${two} and ${three.toLowerCase()}${random() < 0.2 ? ' on GitHub' : ''}`
  return documentOf(name, random() < 0.5 ? `${one} ${ending}` : undefined, about)
}

function documentOf(name, title, description) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    ...(title !== undefined && { title }),
    description,
    version: '1.0.0',
    packages: [
      {
        registryType: 'npm',
        identifier: `@example/${name.slice(name.indexOf('/') + 1)}`,
        version: '1.0.0',
        transport: { type: 'stdio' },
      },
    ],
  }
}

/** The same numbers every time: a linear congruential generator. */
function randomOf(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
