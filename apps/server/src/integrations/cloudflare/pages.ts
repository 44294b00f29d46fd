import type { BaseCloudflare } from 'cloudflare/client'
import { BaseDeployments } from 'cloudflare/resources/pages/projects/deployments/deployments'
import { BaseLogs } from 'cloudflare/resources/pages/projects/deployments/history/logs'
import { BaseDomains } from 'cloudflare/resources/pages/projects/domains'
import { BaseProjects } from 'cloudflare/resources/pages/projects/projects'
import { checked, checkedPage, everyPage, orNull } from './answers.ts'
import type { CloudflareGateway, NewDeployment } from './gateway.ts'
import { buildLog, deployment, deploymentList, domain, domainList, project, projectList } from './pages-answers.ts'

/** More than ten projects at once are refused. */
const projectPages = { size: 10, most: 100 }
const deploymentsPerPage = 25

export function pagesCalls(client: BaseCloudflare, account: () => Promise<string>) {
  const projects = new BaseProjects(client)
  const domains = new BaseDomains(client)
  const deployments = new BaseDeployments(client)
  const logs = new BaseLogs(client)
  const inAccount = async () => ({ account_id: await account() })
  const inProject = async (name: string) => ({ account_id: await account(), project_name: name })

  return {
    async listProjects() {
      const where = await inAccount()
      return everyPage(
        'the list of projects',
        projectPages,
        ({ name }) => name,
        (page) =>
          checkedPage(
            'the list of projects',
            projectList,
            projects.list({ ...where, page, per_page: projectPages.size }),
          ),
      )
    },
    async findProject(name) {
      return orNull(checked('the project', project, projects.get(name, await inAccount())))
    },
    async setBuildVariables(name, variables) {
      const deployment_configs = { production: { env_vars: variables } }
      await checked('the project', project, projects.edit(name, { ...(await inAccount()), deployment_configs }))
    },
    async listProjectDomains(name) {
      const asked = domains.list(name, await inAccount())
      return (await checkedPage('the list of custom domains', domainList, asked)).rows
    },
    async attachDomain(name, host) {
      return checked('the custom domain', domain, domains.create(name, { ...(await inAccount()), name: host }))
    },
    async detachDomain(name, host) {
      await orNull(Promise.resolve(domains.delete(host, await inProject(name))))
    },
    async listDeployments(name, page = 1) {
      const asked = deployments.list(name, { ...(await inAccount()), page, per_page: deploymentsPerPage })
      return (await checkedPage('the list of deployments', deploymentList, asked)).rows
    },
    async findDeployment(name, id) {
      return orNull(checked('the deployment', deployment, deployments.get(id, await inProject(name))))
    },
    async createDeployment(name, { branch, commitHash, commitMessage }: NewDeployment) {
      const what = {
        ...(branch !== undefined && { branch }),
        ...(commitHash !== undefined && { commit_hash: commitHash }),
        ...(commitMessage !== undefined && { commit_message: commitMessage }),
      }
      return checked('the deployment', deployment, deployments.create(name, { ...(await inAccount()), ...what }))
    },
    async retryDeployment(name, id) {
      return checked('the deployment', deployment, deployments.retry(id, await inProject(name)))
    },
    async rollBackTo(name, id) {
      return checked('the deployment', deployment, deployments.rollback(id, await inProject(name)))
    },
    async deleteDeployment(name, id) {
      await orNull(Promise.resolve(deployments.delete(id, { ...(await inProject(name)), force: true })))
    },
    async getBuildLog(name, id) {
      const { data, total } = await checked('the build log', buildLog, logs.get(id, await inProject(name)))
      return { lines: data.map(({ ts, line }) => ({ at: ts, text: line })), total: total ?? data.length }
    },
  } satisfies Partial<CloudflareGateway>
}
