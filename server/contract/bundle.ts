import { z } from 'zod';

// A bundle: a draft with everything that it names, for another machine. It is a zip archive whose
// members are stored as they are: `manifest.json`, `signature.json` where somebody signed, and the
// files of the tree under `tree/`.

export const BUNDLE_FORMAT = 'specwright-bundle/1';
/** The code that runs take along from one node of a platform to another, in the same container. */
export const CODE_FORMAT = 'specwright-code/1';
export const BUNDLE_EXTENSION = '.specbundle';
export const MANIFEST_NAME = 'manifest.json';
export const SIGNATURE_NAME = 'signature.json';
export const TREE_FOLDER = 'tree/';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const bundleFile = z.strictObject({
  /** Below the project's root, with `/`. */
  path: z.string().min(1).max(512),
  bytes: z.int().min(0),
  sha256,
  /** Why it travels along. */
  role: z.enum(['spec', 'layer', 'function', 'skill', 'file']),
});
export type BundleFile = z.infer<typeof bundleFile>;

const credential = z.strictObject({
  type: z.string(),
  /** As the imported workflow has it; may be empty. */
  name: z.string(),
  /** The name of the secret that stands for it. */
  secret: z.string(),
  kinds: z.array(z.string()),
});

/** What the other machine must have: names, never values. */
const bundleNeeds = z.strictObject({
  secrets: z.array(z.string()),
  credentials: z.array(credential),
  /** Providers of its models; each wants its key unless it runs offline. */
  providers: z.array(z.string()),
  /** Steps that the platform must offer. */
  steps: z.array(z.string()),
  /** Functions that come along and run only where the bundle is trusted. */
  functions: z.array(z.string()),
  /** Packages that these functions import. */
  packages: z.array(z.string()),
  /** Programs that its MCP servers start; they are not in the bundle. */
  programs: z.array(z.string()),
  /** Files that stay at home, such as private keys. */
  files: z.array(z.string()),
});
export type BundleNeeds = z.infer<typeof bundleNeeds>;

export const bundleManifest = z.strictObject({
  format: z.literal(BUNDLE_FORMAT),
  name: z.string().min(1).max(128),
  versions: z.strictObject({
    /** The program that wrote the bundle. */
    specwright: z.string(),
    spec: z.string(),
    /** The contract of the platform that it was written for. */
    platform: z.string(),
  }),
  /** Environment that the spec was composed for. */
  environment: z.string().nullable(),
  /** Path of the composed spec; it is one of the files. */
  spec: z.string(),
  files: z.array(bundleFile),
  needs: bundleNeeds,
});
export type BundleManifest = z.infer<typeof bundleManifest>;

export const codeManifest = z.strictObject({
  format: z.literal(CODE_FORMAT),
  files: z.array(bundleFile),
});
export type CodeManifest = z.infer<typeof codeManifest>;

export const bundleSignature = z.strictObject({
  algorithm: z.literal('Ed25519'),
  /** SHA-256 of the public key's DER form. */
  key_id: sha256,
  /** The public key: DER (SubjectPublicKeyInfo) as base64. */
  public_key: z.string().max(256),
  /** Over the bytes of `manifest.json`, as base64. */
  signature: z.string().max(256),
});
export type BundleSignature = z.infer<typeof bundleSignature>;
