import { type Random, randomFrom } from '../../world/random.ts'
import { type DemoSite, demoSitesOf } from '../demo-sites.ts'
import { commitAt } from '../rules/commits.ts'
import {
  buildPrivate,
  type DeploymentRow,
  makeDeployment,
  type ProjectDoc,
  type ProjectRow,
} from '../rules/deployments.ts'
import { durationsOf } from '../rules/stages.ts'
import type { EnvVars } from '../types.ts'
import { uuid } from './ids.ts'

export type SeededDomain = { name: string; id: string; project: string; created: number; zone: string | null }
export type SeededProjects = { projects: ProjectRow[]; domains: SeededDomain[]; deployments: DeploymentRow[] }
export type ProjectOptions = { seed: string; customers: number; now: number; zoneIds: ReadonlyMap<string, string> }

const day = 86_400_000
const iso = (ms: number) => new Date(ms).toISOString()

const envVarsOf = (site: DemoSite, random: Random): EnvVars => ({
  NODE_VERSION: { type: 'plain_text', value: '22.16.0' },
  SITE_TITLE: { type: 'plain_text', value: site.name },
  MAIL_TOKEN: { type: 'plain_text', value: `mht_${random.text(32)}` },
  FORM_SECRET: { type: 'secret_text', value: '' },
})

function configs(envVars: EnvVars): ProjectDoc['deployment_configs'] {
  const config = {
    always_use_latest_compatibility_date: false,
    build_image_major_version: 3,
    compatibility_date: '2025-11-01',
    compatibility_flags: [],
    fail_open: true,
    usage_model: 'standard' as const,
  }
  return { production: { ...config, env_vars: envVars }, preview: { ...config, env_vars: null } }
}

function projectOf(site: DemoSite, name: string, created: number, seed: string, random: Random): ProjectRow {
  const id = uuid(seed, `project ${name}`)
  const doc: ProjectDoc = {
    id,
    name,
    created_on: iso(created),
    production_branch: 'main',
    subdomain: `${name}.pages.dev`,
    framework: 'astro',
    framework_version: '5.3.0',
    preview_script_name: `pages-worker--${random.int(1_000_000, 9_999_999)}-preview`,
    production_script_name: `pages-worker--${random.int(1_000_000, 9_999_999)}-production`,
    uses_functions: false,
    build_config: {
      build_command: 'npm run build',
      destination_dir: 'dist',
      root_dir: '',
      build_caching: true,
      web_analytics_tag: null,
      web_analytics_token: null,
    },
    deployment_configs: configs(envVarsOf(site, random)),
    source: {
      type: 'github',
      config: {
        owner: 'harbor-and-pine',
        owner_id: '48213377',
        repo_name: name,
        repo_id: String(random.int(100_000_000, 999_999_999)),
        production_branch: 'main',
        pr_comments_enabled: true,
        deployments_enabled: true,
        production_deployments_enabled: true,
        preview_deployment_setting: 'all',
        preview_branch_includes: ['*'],
        preview_branch_excludes: [],
        path_includes: ['*'],
        path_excludes: [],
      },
    },
  }
  return { name, id, created, doc, priv: { commits: 0, builds: site.builds } }
}

const previewBranches = ['spring-menu', 'redesign', 'fix/contact-form', 'dependabot/npm_and_yarn/astro-5.3.0']

/** Two dozen builds, most of them for production, some failed, none within the last hour. */
function historyOf(project: ProjectRow, seed: string, now: number): DeploymentRow[] {
  const random = randomFrom(`${seed} deployments ${project.name}`)
  const count = random.int(21, 26)
  const span = now - 2 * 3_600_000 - project.created
  const moments = Array.from({ length: count }, () => project.created + Math.floor(random.next() * span)).sort(
    (a, b) => a - b,
  )
  return moments.map((created, number) => {
    const isFirst = number === 0
    const isFailing = project.priv.builds === 'failing' && number >= count - 2
    const fails = !isFirst && (isFailing || random.chance(0.12))
    const branch = !isFirst && !isFailing && random.chance(0.2) ? random.pick(previewBranches) : 'main'
    const durations = durationsOf(1).map((share) => Math.round(share * random.int(6_000, 24_000)))
    return makeDeployment({
      id: uuid(seed, `deployment ${project.name} ${number}`),
      project,
      created,
      branch,
      commit: commitAt(seed, project.name, number),
      trigger: 'github:push',
      build: buildPrivate(durations, { outcome: fails ? 'failure' : 'success' }),
      isSkipped: !isFirst && !isFailing && random.chance(0.04),
    })
  })
}

export function makeProjects({ seed, customers, now, zoneIds }: ProjectOptions): SeededProjects {
  const made: SeededProjects = { projects: [], domains: [], deployments: [] }
  for (const site of demoSitesOf(customers)) {
    if (!site.project) continue
    const random = randomFrom(`${seed} project ${site.project}`)
    const created = now - random.int(60, 500) * day - random.int(0, day)
    const project = projectOf(site, site.project, created, seed, random)
    const history = historyOf(project, seed, now)
    project.priv.commits = history.length
    made.projects.push(project)
    made.deployments.push(...history)
    for (const name of [site.domain, `www.${site.domain}`]) {
      const zone = zoneIds.get(site.domain) ?? null
      made.domains.push({
        name,
        id: uuid(seed, `domain ${name}`),
        project: project.name,
        created: created + 600_000,
        zone,
      })
    }
  }
  return made
}
