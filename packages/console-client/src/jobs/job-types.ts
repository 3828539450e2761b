/** A part of an import, for a queue. It is plain JSON. Its devices are encrypted, because they contain keys. */
export interface DeviceJob {
  /** The version of the format. */
  readonly version: 1;
  /** A UUID that depends on the devices and on the place of the job. */
  readonly id: string;
  /** The number of devices. */
  readonly count: number;
  /** The devices, encrypted with AES-GCM. */
  readonly payload: string;
}

/** The jobs of an import. It contains no device. */
export interface JobManifest {
  /** The version of the format. */
  readonly version: 1;
  /** The jobs in the order of the source. */
  readonly jobs: readonly Pick<DeviceJob, "id" | "count">[];
  /** The number of devices in all jobs. */
  readonly count: number;
}

/** The numbers of a job that is done. It is plain JSON, and contains no device. */
export interface JobReport {
  /** The id of the job. */
  readonly id: string;
  readonly created: number;
  readonly skipped: number;
  readonly failed: number;
  readonly unknown: number;
}

/** The numbers of a whole import. */
export interface MergedReport extends Omit<JobReport, "id"> {
  /** The number of devices in the manifest. */
  readonly count: number;
  /** The number of devices with a result. */
  readonly settled: number;
  /** The ids of jobs without a report. */
  readonly missing: readonly string[];
  /** The ids of jobs with several reports. The last one is counted. */
  readonly doubled: readonly string[];
  /** The ids of reports that belong to another import. They are not counted. */
  readonly foreign: readonly string[];
}

/** A key for AES-GCM that encrypts and decrypts, such as that of the poison store of `@fieldmesh/webhook-types`. */
export type JobKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
