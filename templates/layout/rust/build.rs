// build.rs@MARK@
//! Compiles the C code for the crate's target. The compiler is that of CC_<target> (its dashes and dots as underscores),
//! TARGET_CC or CC, else the usual one; AR and CFLAGS likewise. No crates are needed.
use std::env;
use std::path::PathBuf;
use std::process::Command;

const SOURCES: &[&str] = &[
@SOURCES@];

/// Of the most particular variable that is set.
fn variable(name: &str, target: &str, host: &str) -> Option<String> {
    let own = format!("{}_{}", name, target.replace(&['-', '.'][..], "_"));
    let side = format!("{}_{}", if target == host { "HOST" } else { "TARGET" }, name);
    let mut names = vec![own, side];
    if target == host || name == "CFLAGS" {
        names.push(name.to_string());
    }
    for name in &names {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    names.iter().find_map(|name| env::var(name).ok())
}

/// Compiler, archiver and flags that targets without an operating system usually have.
fn usual(target: &str) -> (&'static str, &'static str, &'static str) {
    const ARM: (&str, &str) = ("arm-none-eabi-gcc", "arm-none-eabi-ar");
    const RISCV: (&str, &str) = ("riscv64-unknown-elf-gcc", "riscv64-unknown-elf-ar");
    let (tools, flags) = match target {
        "thumbv6m-none-eabi" => (ARM, "-mcpu=cortex-m0 -mthumb -mfloat-abi=soft"),
        "thumbv7m-none-eabi" => (ARM, "-mcpu=cortex-m3 -mthumb -mfloat-abi=soft"),
        "thumbv7em-none-eabi" => (ARM, "-mcpu=cortex-m4 -mthumb -mfloat-abi=soft"),
        "thumbv7em-none-eabihf" => (ARM, "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"),
        "thumbv8m.base-none-eabi" => (ARM, "-mcpu=cortex-m23 -mthumb -mfloat-abi=soft"),
        "thumbv8m.main-none-eabi" => (ARM, "-mcpu=cortex-m33+nofp -mthumb -mfloat-abi=soft"),
        "thumbv8m.main-none-eabihf" => (ARM, "-mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16"),
        "riscv32imac-unknown-none-elf" => (RISCV, "-march=rv32imac -mabi=ilp32 -mcmodel=medany"),
        "riscv32imafc-unknown-none-elf" => (RISCV, "-march=rv32imafc -mabi=ilp32f -mcmodel=medany"),
        _ => (("cc", "ar"), ""),
    };
    (tools.0, tools.1, flags)
}

fn run(program: &str, arguments: &[String]) {
    let status = Command::new(program).args(arguments).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{} {} ended with {}", program, arguments.join(" "), status),
        Err(error) => panic!("{} cannot be started ({}): name a C compiler with CC_<target>", program, error),
    }
}

fn main() {
    let target = env::var("TARGET").unwrap();
    let host = env::var("HOST").unwrap();
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let (compiler, archiver, flags) = usual(&target);
    let named = variable("CC", &target, &host);
    let compiler = named.clone().unwrap_or_else(|| compiler.to_string());
    let archiver = variable("AR", &target, &host).unwrap_or_else(|| archiver.to_string());
    let mut common: Vec<String> = ["-std=c99", "-O2", "-ffunction-sections", "-fdata-sections", "-Iinclude", "-Isrc", "-D@CAPS@_NO_STATIC_ARENA"]
        .iter()
        .map(|flag| flag.to_string())
        .collect();
    common.extend(flags.split_whitespace().map(|flag| flag.to_string()));
    if let Some(more) = variable("CFLAGS", &target, &host) {
        common.extend(more.split_whitespace().map(|flag| flag.to_string()));
    }
    let library = out.join("lib@CRATE@_c.a").display().to_string();
    let _ = std::fs::remove_file(&library);
    let mut archive = vec!["crs".to_string(), library];
    for (number, source) in SOURCES.iter().enumerate() {
        let object = out.join(format!("{}.o", number)).display().to_string();
        let mut arguments = common.clone();
        arguments.extend(["-c", source, "-o"].iter().map(|word| word.to_string()));
        arguments.push(object.clone());
        run(&compiler, &arguments);
        archive.push(object);
    }
    run(&archiver, &archive);
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=@CRATE@_c");
    if env::var("CARGO_CFG_UNIX").is_ok() {
        println!("cargo:rustc-link-lib=m");
    }
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=include");
}
