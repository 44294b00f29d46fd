import { incidents } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { addNote, merge, openByHand, savePostmortem, split, update } from './service/change-incident.ts'
import { getDetails, getIncident, getNote, getPostmortem, listIncidents } from './service/get-incident.ts'

export { followAlerts } from './follow.ts'
export { findIncidentRow, type IncidentRow, insertEvent } from './queries/incidents.ts'
export { labelOf as incidentLabel, lockOpen } from './service/change-incident.ts'
export { findActiveIncidents } from './service/get-incident.ts'

export const incidentRoutes = routesOf(incidents, {
  listIncidents: ({ ctx, query }) => listIncidents(ctx, query),
  getIncident: async ({ ctx, params }) => ({ incident: await getDetails(ctx, params.id) }),
  openIncident: {
    handle: async ({ ctx, body, claim }) => ({ incident: await openByHand(ctx, body, claim) }),
    replay: async ({ ctx, subject }) => ({ incident: await getIncident(ctx, subject) }),
  },
  updateIncident: async ({ ctx, params, body }) => ({ incident: await update(ctx, params.id, body) }),
  addIncidentNote: {
    handle: ({ ctx, params, body, claim }) => addNote(ctx, params.id, body.text, claim),
    replay: ({ ctx, subject }) => getNote(ctx, subject),
  },
  mergeIncident: async ({ ctx, params, body }) => ({ incident: await merge(ctx, params.id, body.into) }),
  splitIncident: {
    handle: async ({ ctx, params, body, claim }) => ({ incident: await split(ctx, params.id, body, claim) }),
    replay: async ({ ctx, subject }) => ({ incident: await getIncident(ctx, subject) }),
  },
  getPostmortem: ({ ctx, params }) => getPostmortem(ctx, params.id),
  savePostmortem: ({ ctx, params, body }) => savePostmortem(ctx, params.id, body),
})
