import type { PagesProject } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { findProjectUsers } from '../queries/sites.ts'

/** The Pages projects that a site may be linked to, with the site that uses each already. */
export async function listProjects({ cloudflare, db }: RequestContext): Promise<{ projects: PagesProject[] }> {
  if (!cloudflare) throw new AppError('not_connected', 'Cloudflare is not connected')
  const [projects, users] = await Promise.all([cloudflare.listProjects(), findProjectUsers(db)])
  return {
    projects: projects.map(({ name, domains, production_branch }) => ({
      ...{ name, domains: domains ?? [], production_branch: production_branch ?? null },
      site: users.get(name) ?? null,
    })),
  }
}
