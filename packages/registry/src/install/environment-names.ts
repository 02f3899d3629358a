/**
 * Variables of the environment that an entry may not choose. Which variables a server reads cannot be known, so this is the one deny list:
 * what makes the runner or the server load other code, fetch it from elsewhere, or talk through somebody else.
 * Names are compared without regard to case, as Windows does.
 */

/** The dynamic loader, the C library, shells, and where programs and settings are looked for. */
const system = [
  'ld_* _rld* dyld_* __xpc_* libpath shlib_path gconv_path getconf_dir glibc_tunables malloc_* locpath nlspath hostaliases',
  'localdomain res_options resolv_* path pathext psmodulepath home userprofile homedrive homepath appdata localappdata programdata',
  'xdg_* tmp temp tmpdir systemroot windir comspec shell shellopts bashopts bash_* env ifs cdpath ps4 prompt_command zdotdir fpath',
  'editor visual pager manpager lessopen lessclose browser terminfo* termcap __compat_layer gtk_* gio_* qt_* libgl_* alsa_config_*',
]

/** Interpreters and their package managers. */
const programs = [
  'node_options node_path node_repl_* node_icu_data node_compile_cache node_v8_coverage node_redirect_warnings node_channel_fd',
  'node_use_env_proxy node_gyp_* npm_* pnpm_* yarn_* corepack_* bun_* deno_* volta_* nvm_* fnm_* ts_node_* electron_* init_cwd prefix',
  'pip_* pipx_* uv_* virtual_env conda_* poetry_* pdm_* hatch_* pyenv_*',
  'java_tool_options _java_options jdk_java_options java_opts java_home classpath maven_* mvn_* gradle_* jvm_*',
  'rubyopt rubylib rubyshell gem_* bundle_* perl* phprc php_ini_scan_dir lua_* r_profile* r_environ* r_libs* r_home julia_*',
  'coreclr_* cor_* complus_* nuget_* msbuild*',
  'cargo cargo_* rustc* rustflags rustup_* rustdoc* goproxy goflags gosumdb gonosumdb gonosumcheck gonoproxy goprivate goinsecure',
  'gotoolchain gopath goroot goenv gomodcache gocache godebug erl_* elixir_* mix_*',
  'docker_* buildkit_* container_* containers_* podman_* registry_auth_file compose_* storage_driver',
  'git_ssh* git_exec_path git_config* git_askpass git_proxy* git_external_diff git_editor git_sequence_editor git_pager git_template_dir',
  'git_dir git_work_tree ssh_askpass* ssh_auth_sock sudo_askpass svn_ssh rsync_rsh openssl_* curl_home wgetrc',
  'cc cxx ar make makeflags tar_options nix_ld kubeconfig aws_config_file puppeteer_executable_path oci_config*',
]

/** Names that begin like one of those, and only choose how much is said or how text is read. */
const harmless = patternOf([
  'pythonunbuffered pythondontwritebytecode pythonioencoding pythonutf8 pythonhashseed pythonfaulthandler pythonlegacywindowsstdio',
  'dotnet_environment dotnet_nologo dotnet_cli_telemetry_optout uv_no_progress docker_image',
])

/** A user may be asked for these, since some networks and machines need them; an entry may not bring a value of its own. */
const askable = patternOf([
  '*_proxy proxy node_tls_reject_unauthorized node_extra_ca_certs node_use_system_ca ssl_cert_file ssl_cert_dir sslkeylogfile',
  'requests_ca_bundle curl_ca_bundle git_ssl_* aws_ca_bundle grpc_default_ssl_roots_file_path',
  'docker_host docker_tls_verify docker_cert_path docker_api_version java_home browser',
])

const denied = patternOf([...system, ...programs, 'python* dotnet_*'])

function patternOf(lists: readonly string[]): RegExp {
  const names = lists.join(' ').split(' ')
  return new RegExp(`^(?:${names.map((name) => name.replaceAll('*', '.*')).join('|')})$`)
}

/** Why an entry may not set a variable, to a value of its own or at all; undefined if it may. */
export function findVariableProblem(name: string, hasOwnValue: boolean): string | undefined {
  if (!/^[A-Za-z_][\w.-]{0,199}$/.test(name)) {
    return 'is not the name of a variable: use letters, digits and _'
  }
  const plain = name.toLowerCase()
  if (harmless.test(plain) || (!hasOwnValue && askable.test(plain))) return undefined
  if (denied.test(plain)) {
    return `changes how programs find or load code on this machine: an entry may not set ${name}`
  }
  if (askable.test(plain)) {
    return `changes how programs reach the network: an entry may ask for ${name}, but not bring a value`
  }
  return undefined
}
