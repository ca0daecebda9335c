/** Puts a proved package in the place of the running program, in the form that it was installed in. */
export interface Installer {
  readonly form: 'tar.gz' | 'AppImage' | 'deb' | 'rpm' | 'nsis' | 'mac';
  /** The ending of the package's name. */
  readonly ending: string;
  /** The system's own package manager does it, and asks for a password. */
  readonly asksPassword: boolean;
  /** What takes a while and touches nothing that runs. @throws UpdateProblem `package_broken`, `disk_full` */
  prepare(packageFile: string, version: string): Promise<void>;
  /**
   * The step itself, when the services have ended: at once, or not at all. `restart`: the new program is
   * started by the installer where the shell cannot do it.
   * @throws UpdateProblem `not_installed`
   */
  install(packageFile: string, version: string, restart: boolean): Promise<void>;
  /** What is started afterwards; undefined where the installer starts it itself. */
  readonly program: string | undefined;
  /** True while the program of a version is kept. */
  keeps(version: string): Promise<boolean>;
  /** Makes a kept version the one that starts. @throws UpdateProblem `not_gone_back` */
  goBack(version: string): Promise<void>;
  /** Removes what no way back needs: all but these versions. */
  tidy(versions: readonly string[]): Promise<void>;
}
