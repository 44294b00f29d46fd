import { dnsRecords, zoneSettings, zones } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { listRecords } from './service/list-records.ts'
import { listSettings } from './service/list-settings.ts'
import { previewRecord } from './service/preview.ts'
import { changeSetting, createRecord, deleteRecord, repeatChange, undoChange, updateRecord } from './service/write.ts'
import { exportZoneFile, readZoneFile } from './service/zone-file.ts'
import { addZone, checkZone, repeatZone } from './service/zones.ts'

export const dnsRecordRoutes = routesOf(dnsRecords, {
  listDomainRecords: ({ ctx, params, query }) => listRecords(ctx, params.id, query.page),
  previewRecord: ({ ctx, params, query }) => previewRecord(ctx, params.id, query),
  exportZoneFile: ({ ctx, params }) => exportZoneFile(ctx, params.id),
  readZoneFile: ({ ctx, params, body }) => readZoneFile(ctx, params.id, body.text),
  createRecord: {
    handle: ({ ctx, params, body, claim }) => createRecord(ctx, params.id, body, claim),
    replay: ({ ctx, params, subject }) => repeatChange(ctx, params.id, subject),
  },
  updateRecord: {
    handle: ({ ctx, params, body, claim }) => updateRecord(ctx, params, body, claim),
    replay: ({ ctx, params, subject }) => repeatChange(ctx, params.id, subject),
  },
  deleteRecord: {
    handle: ({ ctx, params, body, claim }) => deleteRecord(ctx, params.id, body, claim),
    replay: ({ ctx, params, subject }) => repeatChange(ctx, params.id, subject),
  },
  undoRecordChange: {
    handle: ({ ctx, params, body, claim }) => undoChange(ctx, params.id, body.change_id, claim),
    replay: ({ ctx, params, subject }) => repeatChange(ctx, params.id, subject),
  },
})

export const zoneSettingRoutes = routesOf(zoneSettings, {
  listZoneSettings: ({ ctx, params }) => listSettings(ctx, params.id),
  changeZoneSetting: {
    handle: ({ ctx, params, body, claim }) => changeSetting(ctx, params.id, body, claim),
    replay: ({ ctx, params, subject }) => repeatChange(ctx, params.id, subject),
  },
})

export const zoneRoutes = routesOf(zones, {
  addZone: {
    handle: ({ ctx, body, claim }) => addZone(ctx, body.name, claim),
    replay: ({ ctx, subject }) => repeatZone(ctx, subject),
  },
  checkZone: ({ ctx, params }) => checkZone(ctx, params.id),
})
