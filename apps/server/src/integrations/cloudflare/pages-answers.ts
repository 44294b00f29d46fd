import { z } from 'zod'

const text = z.string().nullish().catch(null)

const stage = z.object({ name: z.string(), status: z.string(), started_on: text, ended_on: text })

const trigger = z
  .object({
    type: text,
    metadata: z.object({ branch: text, commit_hash: text, commit_message: text }).nullish().catch(null),
  })
  .nullish()
  .catch(null)

/** Without `env_vars`, which can hold secrets: what is not named here is dropped. */
export const deployment = z.object({
  id: z.string().min(1),
  short_id: text,
  project_name: text,
  environment: text,
  url: text,
  created_on: z.string(),
  modified_on: text,
  is_skipped: z.boolean().nullish().catch(null),
  latest_stage: stage,
  stages: z.array(stage).nullish().catch(null),
  deployment_trigger: trigger,
})
export type PagesDeployment = z.output<typeof deployment>

export const project = z.object({
  id: text,
  name: z.string().min(1),
  subdomain: text,
  domains: z.array(z.string()).nullish().catch(null),
  production_branch: text,
  canonical_deployment: deployment.nullish().catch(null),
  latest_deployment: deployment.nullish().catch(null),
})
export type PagesProject = z.output<typeof project>

export const domain = z.object({ id: text, name: z.string(), status: text })
export type PagesDomain = z.output<typeof domain>

export const projectList = z.array(project)
export const deploymentList = z.array(deployment)
export const domainList = z.array(domain)
export const buildLog = z.object({
  data: z.array(z.object({ ts: z.string(), line: z.string() })),
  total: z.int().nonnegative().nullish(),
})
