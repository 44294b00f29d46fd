import { sites } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { createSite } from './service/create-site.ts'
import { deleteSite, previewDeletion } from './service/delete-site.ts'
import { compareVersions, getEnvironment, listVersions, rollBack, saveEnvironment } from './service/environment.ts'
import { getSite } from './service/get-site.ts'
import { importSites, previewImport } from './service/import-sites.ts'
import { listOwners } from './service/list-owners.ts'
import { listSites } from './service/list-sites.ts'
import { listProjects } from './service/projects.ts'
import { setStatus } from './service/set-status.ts'
import { getSettings, updateSettings } from './service/settings.ts'
import { previewSuspension, resumeSite, suspendSite } from './service/suspend-site.ts'
import { updateSite } from './service/update-site.ts'

export const siteRoutes = routesOf(sites, {
  listSites: ({ ctx, query }) => listSites(ctx, query),
  listSiteOwners: ({ ctx, query }) => listOwners(ctx, query),
  listPagesProjects: ({ ctx }) => listProjects(ctx),
  getSite: async ({ ctx, params }) => ({ site: await getSite(ctx, params.id) }),
  createSite: {
    handle: async ({ ctx, body, claim }) => ({ site: await createSite(ctx, body, claim) }),
    replay: async ({ ctx, subject }) => ({ site: await getSite(ctx, subject) }),
  },
  updateSite: async ({ ctx, params, body }) => ({ site: await updateSite(ctx, params.id, body) }),
  previewSiteDeletion: async ({ ctx, params }) => ({ preview: await previewDeletion(ctx, params.id) }),
  deleteSite: ({ ctx, params }) => deleteSite(ctx, params.id),
  setSiteStatus: async ({ ctx, params, body }) => ({ site: await setStatus(ctx, params.id, body) }),
  previewSiteSuspension: async ({ ctx, params }) => ({ preview: await previewSuspension(ctx, params.id) }),
  suspendSite: {
    handle: async ({ ctx, params, body, claim }) => ({ site: await suspendSite(ctx, params.id, body.reason, claim) }),
    replay: async ({ ctx, subject }) => ({ site: await getSite(ctx, subject) }),
  },
  resumeSite: {
    handle: async ({ ctx, params, claim }) => ({ site: await resumeSite(ctx, params.id, claim) }),
    replay: async ({ ctx, subject }) => ({ site: await getSite(ctx, subject) }),
  },
  getSiteEnvironment: async ({ ctx, params }) => ({ environment: await getEnvironment(ctx, params.id) }),
  saveSiteEnvironment: async ({ ctx, params, body }) => ({ environment: await saveEnvironment(ctx, params.id, body) }),
  listEnvironmentVersions: ({ ctx, params, query }) => listVersions(ctx, params.id, query),
  compareEnvironments: ({ ctx, params, query }) => compareVersions(ctx, params.id, query),
  rollBackEnvironment: async ({ ctx, params, body }) => ({ environment: await rollBack(ctx, params.id, body) }),
  getSiteSettings: async ({ ctx, params }) => ({ settings: await getSettings(ctx, params.id) }),
  updateSiteSettings: async ({ ctx, params, body }) => ({ settings: await updateSettings(ctx, params.id, body) }),
  previewSiteImport: ({ ctx, body }) => previewImport(ctx, body.sites),
  importSites: { handle: ({ ctx, body, claim }) => importSites(ctx, body.sites, claim) },
})
